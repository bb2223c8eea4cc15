"""Finding the part of a text that answers a question."""

from collections.abc import Sequence

YIELDS = ["span"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "answer",
    "title": "Finding answers in {{ many }}",
    "asks": "which words of {{ one }} hold the answer",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is a part of the sample's text, word for word."
