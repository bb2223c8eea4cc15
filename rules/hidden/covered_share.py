"""The share of a picture that a mask covers.

Difficulty: that of seeing the mask; a cut at a share needs no outline to be right.
"""

import numpy as np

YIELDS = "number"
DRAFTED = False
PARAMETERS = {"of": {"$ref": "#/$defs/mask_factor"}}


def covered_share(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    return of.mean(axis=(1, 2))
