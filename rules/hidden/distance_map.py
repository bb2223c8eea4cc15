"""A picture of how far each pixel is from the nearest one of a mask.

Difficulty: rises with `reach`: a pixel's surroundings must then be seen that far.
"""

import numpy as np
from scipy import ndimage

YIELDS = "image"
DRAFTED = False
PARAMETERS = {
    "of": {"$ref": "#/$defs/mask_factor", "examples": ["lines", "ellipses"]},
    "reach": {
        "type": "number",
        "minimum": 1,
        "maximum": 32,
        "description": "distance in pixels that shows as 1, as do all longer ones",
        "examples": [6, 8],
    },
}


def distance_map(rng: np.random.Generator, *, of: np.ndarray, reach: float = 6.0) -> np.ndarray:
    # A sample without mask is far from everything; so are samples from each other.
    distance = ndimage.distance_transform_edt(~of, sampling=(1e6, 1.0, 1.0))
    return np.round(np.clip(distance / reach, 0.0, 1.0), 4)
