"""How many separate regions a mask has.

Difficulty: rises with the number of regions and as they come closer to each other.
"""

import numpy as np

from sandmle.runtime.regions import find_regions

YIELDS = "number"
DRAFTED = False
PARAMETERS = {"of": {"$ref": "#/$defs/mask_factor", "examples": ["ellipses"]}}


def region_count(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    return np.bincount(find_regions(of).sample, minlength=len(of)).astype(float)
