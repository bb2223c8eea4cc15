"""Predicting a number of days that are still to come."""

from collections.abc import Sequence

YIELDS = ["number"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
SPLIT = "time"
ASKS = {
    "name": "demand",
    "title": "What comes next for {{ many }}",
    "asks": "what number will be recorded for {{ one }} in the time to come",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is a number; the rows to predict are later than all of `train.csv`."
