"""A mask of one ellipse."""

YIELDS = "mask"
PARAMETERS = {
    "area": {"$ref": "#/$defs/number_factor"},
    "size": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
}


def ellipse_mask(rng, samples, *, area, size=(32, 32)):
    return area
