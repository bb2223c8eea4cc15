"""A smooth picture of high and low: heights, heat, depth, density.

Difficulty: falls with `scale`: where little changes from pixel to pixel, neighbours tell all.
"""

import numpy as np

from sandmle.runtime.fields import smooth_fields

YIELDS = "image"
PARAMETERS = {
    "size": {"$ref": "#/$defs/size"},
    "scale": {
        "type": "number",
        "minimum": 1,
        "maximum": 12,
        "description": "how wide hills and hollows are, in pixels",
        "examples": [4, 3],
    },
}


def terrain(
    rng: np.random.Generator, samples: int, *, size: tuple[int, int] = (24, 24), scale: float = 4.0
) -> np.ndarray:
    fields = smooth_fields(rng, (samples, size[1], size[0]), scale)
    low = fields.min(axis=(1, 2), keepdims=True)
    high = fields.max(axis=(1, 2), keepdims=True)
    return np.round((fields - low) / (high - low), 4)
