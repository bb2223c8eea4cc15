"""Ranking the candidates of a query by how relevant each is."""

from collections.abc import Sequence

YIELDS = ["number"]
SEVERAL = False
CLASSES = None
FAMILY = "ranking"
ASKS = {
    "name": "relevance",
    "title": "Ranking {{ many }}",
    "asks": "how high {{ one }} belongs among the others of its query",
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    return (
        f"`{targets[0]}` is a number, the higher the more relevant a row is in its query. "
        "Only the order of the predictions within each query counts."
    )
