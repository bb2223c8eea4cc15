"""Telling to which of several classes in ascending order a sample belongs."""

from collections.abc import Sequence

YIELDS = ["number", "category"]
SEVERAL = False
CLASSES = [3, 30]
FAMILY = "classification"
ASKS = {
    "name": "grade",
    "title": "Grading {{ many }}",
    "asks": "which grade {{ one }} is given",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    names = ", ".join(f"`{name}`" for name in classes)
    return f"`{targets[0]}` is one of {len(classes)} classes, in ascending order: {names}."
