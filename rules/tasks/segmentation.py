"""Marking the pixels that belong to something."""

from collections.abc import Sequence

YIELDS = ["mask"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "outline",
    "title": "Outlining the region of interest for {{ many }}",
    "asks": "which pixels of {{ one }}'s picture belong to the region of interest",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` marks the pixels that belong to the region of interest."
