"""The text as it is read aloud."""

YIELDS = "text"
PARAMETERS = {"of": {"$ref": "#/$defs/text_factor"}}


def read_aloud(rng, *, of):
    return of
