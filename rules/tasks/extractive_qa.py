"""Finding the part of a text that answers a question."""

from collections.abc import Sequence

YIELDS = ["span"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "answer",
    "title": "Answering questions on {{ many }}",
    "asks": "which words of the text answer the question on {{ one }}",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is the part of a row's text that answers its question, word for word."
