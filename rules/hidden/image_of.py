"""The clean picture itself.

Difficulty: that of what it is seen through (`dirty_page`, `degraded`).
"""

import numpy as np

YIELDS = "image"
PARAMETERS = {"of": {"$ref": "#/$defs/image_factor"}}


def image_of(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    return of
