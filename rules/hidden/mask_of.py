"""The mask itself: every pixel that belongs to it.

Difficulty: that of seeing it (`scan`, `weave`, `frames`).
"""

import numpy as np

YIELDS = "mask"
PARAMETERS = {"of": {"$ref": "#/$defs/mask_factor"}}


def mask_of(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    return of
