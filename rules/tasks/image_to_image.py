"""Restoring the clean picture behind a damaged one."""

from collections.abc import Sequence

YIELDS = ["image"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "value",
    "title": "Restoring pictures of {{ many }}",
    "asks": "what the picture of {{ one }} looked like before it was damaged",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is the brightness of every pixel of the clean picture, 0 (black) to 1."
