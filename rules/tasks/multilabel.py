"""Telling for each of several properties whether a sample has it."""

from collections.abc import Sequence

YIELDS = ["number", "category"]
SEVERAL = True
CLASSES = [2, 2]
FAMILY = "classification"
ASKS = {
    "names": ["first_mark", "second_mark", "third_mark", "fourth_mark"],
    "title": "The marks of {{ many }}",
    "asks": "which of several marks {{ one }} carries",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    names = ", ".join(f"`{target}`" for target in targets)
    return f"{names} are each {classes[1]} or {classes[0]}: several may apply to a row, or none."
