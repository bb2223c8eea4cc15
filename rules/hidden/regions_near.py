"""The regions of a mask that come near another mask, such as a marker or a vessel.

Difficulty: rises as the share of such regions nears half; high for models of single pixels and of
small neighbourhoods in any case.
"""

import numpy as np
from scipy import ndimage

from sandmle.runtime.regions import find_regions

YIELDS = "mask"
PARAMETERS = {
    "of": {"$ref": "#/$defs/mask_factor", "examples": ["ellipses"]},
    "near": {"$ref": "#/$defs/mask_factor", "examples": ["lines", "ellipses"]},
    "within": {
        "type": "integer",
        "minimum": 0,
        "maximum": 16,
        "description": "distance in pixels up to which a region is near, diagonals counted as one",
        "examples": [1, 3],
    },
}


def regions_near(
    rng: np.random.Generator, *, of: np.ndarray, near: np.ndarray, within: int = 2
) -> np.ndarray:
    regions = find_regions(of)
    reach = ndimage.maximum_filter(near, (1, 2 * within + 1, 2 * within + 1), mode="constant")
    met = np.bincount(regions.labels[reach], minlength=len(regions.area) + 1)[1:]
    return regions.kept(met > 0)
