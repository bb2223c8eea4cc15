"""A number drawn from a normal distribution.

Difficulty: none of its own; a larger `scale` beside fixed noise makes the factor easier to read.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "mean": {"type": "number", "description": "centre of the distribution"},
    "scale": {"type": "number", "exclusiveMinimum": 0, "description": "standard deviation"},
}


def normal(
    rng: np.random.Generator, samples: int, *, mean: float = 0.0, scale: float = 1.0
) -> np.ndarray:
    return rng.normal(mean, scale, samples)
