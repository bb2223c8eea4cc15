"""Predicting a number and how sure one is of it."""

from collections.abc import Sequence

YIELDS = ["number"]
SEVERAL = False
CLASSES = None
FAMILY = "regression"
ASKS = {
    "name": "level",
    "title": "How sure can one be of {{ many }}",
    "asks": "the number that will be measured for {{ one }}, and how far it may be off",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is a number, to be predicted together with its standard deviation."
