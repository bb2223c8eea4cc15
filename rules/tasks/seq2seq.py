"""Writing a text out of another."""

from collections.abc import Sequence

YIELDS = ["text"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "written",
    "title": "Rewriting {{ many }}",
    "asks": "how {{ one }} is to be written",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is a text."
