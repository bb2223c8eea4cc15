"""A value that each level of a category has for itself, drawn at random.

Difficulty: rises with the number of levels.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/category_factor"},
}


def lookup(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    levels, level = np.unique(of, return_inverse=True)
    return rng.permutation(np.linspace(-1.0, 1.0, len(levels)))[level]
