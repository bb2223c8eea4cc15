"""Telling which of several classes a sample belongs to."""

from collections.abc import Sequence

YIELDS = ["category", "number"]
SEVERAL = False
CLASSES = [3, 30]
FAMILY = "classification"
ASKS = {
    "name": "kind",
    "title": "Sorting {{ many }} into kinds",
    "asks": "which kind {{ one }} is of",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    names = ", ".join(f"`{name}`" for name in classes)
    return f"`{targets[0]}` is one of {len(classes)} classes: {names}."
