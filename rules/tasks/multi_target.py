"""Predicting several numbers of one sample."""

from collections.abc import Sequence

YIELDS = ["number"]
SEVERAL = True
CLASSES = None
FAMILY = "regression"
ASKS = {
    "names": ["first_measure", "second_measure", "third_measure"],
    "title": "Several measures of {{ many }}",
    "asks": "what numbers a slow and costly measurement would give for {{ one }}",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return ", ".join(f"`{target}`" for target in targets) + " are numbers."
