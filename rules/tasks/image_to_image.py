"""Restoring the clean picture behind a damaged one."""

from collections.abc import Sequence

YIELDS = ["image"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "value",
    "title": "Restoring the pictures of {{ many }}",
    "asks": "what {{ one }}'s picture looked like before it was damaged",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return (
        f"`{targets[0]}` is the brightness of every pixel of the clean picture, from 0 (black) to "
        "1 (white): what its PNG file holds, divided by 255."
    )
