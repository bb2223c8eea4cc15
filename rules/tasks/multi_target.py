"""Predicting several numbers of one sample."""

from collections.abc import Sequence

YIELDS = ["number"]
SEVERAL = True
CLASSES = None
FAMILY = "regression"
ASKS = {
    "names": ["first_measure", "second_measure", "third_measure"],
    "title": "Several measures of {{ many }}",
    "asks": "the numbers that a slow and costly measurement gives for {{ one }}",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return ", ".join(f"`{target}`" for target in targets) + " are numbers."
