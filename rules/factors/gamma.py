"""A positive, right-skewed number: waiting times, loads, sizes.

Difficulty: falls slightly as `shape` grows, where the tail thins out and the factor nears a normal.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "shape": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "small for a long tail, 1 for an exponential, large for a bell",
    },
    "scale": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "stretches the values; the mean is shape times scale",
    },
}


def gamma(
    rng: np.random.Generator, samples: int, *, shape: float = 2.0, scale: float = 1.0
) -> np.ndarray:
    return rng.gamma(shape, scale, samples)
