"""Telling which of two classes a sample belongs to."""

from collections.abc import Sequence

YIELDS = ["number", "category"]
SEVERAL = False
CLASSES = [2, 2]
FAMILY = "classification"
ASKS = {
    "name": "flagged",
    "title": "Which {{ many }} stand out",
    "asks": "whether {{ one }} is of the kind that is looked for",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return (
        f"`{targets[0]}` is `{classes[0]}` or `{classes[1]}`; `{classes[1]}` is the positive class."
    )
