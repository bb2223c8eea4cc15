"""Marking the pixels that belong to something."""

from collections.abc import Sequence

YIELDS = ["mask"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "outline",
    "title": "Marking what matters on {{ many }}",
    "asks": "which pixels of {{ one }} belong to what is looked for",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` marks the pixels of a picture that belong to what is looked for."
