"""Predicting a number and how sure one is of it."""

from collections.abc import Sequence

YIELDS = ["number"]
SEVERAL = False
CLASSES = None
FAMILY = "regression"
ASKS = {
    "name": "level",
    "title": "Measuring {{ many }}, with error bars",
    "asks": "what number will be measured for {{ one }} and with what margin of error",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is a number, to be predicted together with its standard deviation."
