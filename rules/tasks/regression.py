"""Predicting a number."""

from collections.abc import Sequence

YIELDS = ["number"]
SEVERAL = False
CLASSES = None
FAMILY = "regression"
ASKS = {
    "name": "amount",
    "title": "Estimating {{ many }}",
    "asks": "what number a slow and costly measurement would give for {{ one }}",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is a number."
