"""Reading a text aloud."""

YIELDS = ["text"]
SEVERAL = False
CLASSES = None
FAMILY = "reconstruction"
ASKS = {"name": "answer", "title": "Reading a text aloud.", "asks": "what is asked"}


def describe(targets, classes):
    return f"{targets[0]} is what is asked."
