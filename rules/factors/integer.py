"""A whole number drawn evenly from a range, both ends included: days, positions, codes.

Difficulty: none of its own.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "low": {"type": "integer", "description": "smallest value"},
    "high": {"type": "integer", "description": "largest value, above `low`"},
}


def integer(rng: np.random.Generator, samples: int, *, low: int, high: int) -> np.ndarray:
    return rng.integers(low, high, samples, endpoint=True).astype(float)
