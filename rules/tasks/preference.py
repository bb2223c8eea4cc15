"""Telling which of the two sides of a pair is preferred."""

from collections.abc import Sequence

YIELDS = ["number", "category"]
SEVERAL = False
CLASSES = [2, 3]
FAMILY = "ranking"
SIDES = 2
ASKS = {
    "name": "preferred",
    "title": "Which of two is preferred",
    "asks": "which of the two versions kept for {{ one }} a judge prefers",
    "labels": ["first", "second", "tie"],
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    names = ", ".join(f"`{name}`" for name in classes)
    return f"`{targets[0]}` says which of the two is preferred, one of {names}."
