"""The outline of a mask: its pixels that are next to others.

Difficulty: rises as `width` falls; high for models of single pixels in any case.
"""

import numpy as np
from scipy import ndimage

YIELDS = "mask"
PARAMETERS = {
    "of": {"$ref": "#/$defs/mask_factor", "examples": ["patches", "ellipses"]},
    "width": {
        "type": "integer",
        "minimum": 1,
        "maximum": 4,
        "description": "how far it reaches into the mask, in pixels",
        "examples": [3],
    },
}


def outline_of(rng: np.random.Generator, *, of: np.ndarray, width: int = 1) -> np.ndarray:
    inner = ndimage.minimum_filter(of, (1, 2 * width + 1, 2 * width + 1), mode="nearest")
    return of & ~inner
