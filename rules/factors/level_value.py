"""A number that every level of a category has for itself, the same in all its samples.

Difficulty: none of its own; with few levels, models that see the category learn it by heart.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/category_factor", "examples": ["group"]},
    "mean": {"type": "number", "description": "centre of the distribution"},
    "scale": {"type": "number", "exclusiveMinimum": 0, "description": "standard deviation"},
}


def level_value(
    rng: np.random.Generator,
    samples: int,
    *,
    of: np.ndarray,
    mean: float = 0.0,
    scale: float = 1.0,
) -> np.ndarray:
    levels, level = np.unique(of, return_inverse=True)
    return rng.normal(mean, scale, len(levels))[level]
