"""Finding where the objects of some classes are in a picture."""

from collections.abc import Sequence

YIELDS = ["boxes"]
SEVERAL = False
CLASSES = [1, 10]
FAMILY = "reconstruction"
ASKS = {
    "name": "objects",
    "title": "Relevant objects in the pictures of {{ many }}",
    "asks": "which relevant objects are where in {{ one }}'s picture",
    "labels": ["round", "square", "cross", "ring"],
}


def describe(targets: Sequence[str], classes: Sequence[str]) -> str:
    """What a solver reads of the target, as Markdown."""
    names = ", ".join(f"`{name}`" for name in classes)
    return (
        f"`{targets[0]}` lists the relevant objects in a picture, each with its box; "
        f"classes: {names}."
    )
