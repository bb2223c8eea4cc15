"""Predicting a number for every position of a sequence."""

from collections.abc import Sequence

YIELDS = ["numbers"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "response",
    "title": "The response of {{ many }}, step by step",
    "asks": "how {{ one }} responds at every step",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is a number for every position of a sample's sequence, counted from 0."
