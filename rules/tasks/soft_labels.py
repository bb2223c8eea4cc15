"""Predicting how a panel's votes are shared among several classes."""

from collections.abc import Sequence

YIELDS = ["distribution"]
SEVERAL = False
CLASSES = [2, 10]
FAMILY = "classification"
ASKS = {
    "name": "votes",
    "title": "How judges see {{ many }}",
    "asks": "how the votes of the judges on {{ one }} split between the possible answers",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    names = ", ".join(f"`{name}`" for name in classes)
    return f"A row holds the share of votes for each class, {names}; the shares sum to 1."
