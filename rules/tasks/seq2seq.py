"""Writing a text out of another."""

from collections.abc import Sequence

YIELDS = ["text"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {
    "name": "written",
    "title": "The right text for {{ many }}",
    "asks": "how the text for {{ one }} should be written out",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return f"`{targets[0]}` is the text to be written for a row."
