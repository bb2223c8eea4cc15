"""Putting the items of a sample into their right order."""

from collections.abc import Sequence

YIELDS = ["tokens"]
SEVERAL = False
CLASSES = None
FAMILY = "ranking"
ASKS = {
    "name": "order",
    "title": "Items in the right order, for {{ many }}",
    "asks": "in which order the items listed for {{ one }} belong",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` names a sample's items in their right order, separated by spaces."
