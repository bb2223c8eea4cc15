"""The mask itself."""

YIELDS = "mask"
PARAMETERS = {"of": {"$ref": "#/$defs/mask_factor"}}


def outline(rng, *, of):
    return of
