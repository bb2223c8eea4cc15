"""Marking what is seen."""

YIELDS = ["mask"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {"name": "answer", "title": "Marking what is seen.", "asks": "what is asked"}


def describe(targets, classes):
    return f"{targets[0]} is what is asked."
