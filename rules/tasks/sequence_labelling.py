"""Giving every element of a sequence a tag."""

from collections.abc import Sequence

YIELDS = ["tokens"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "tags",
    "title": "Tagging the sequences of {{ many }}",
    "asks": "which tag every element of the sequence recorded for {{ one }} gets",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` holds the tags of a sample's sequence, in order, separated by spaces."
