"""A number drawn evenly from a range.

Difficulty: none of its own; without tails, linear models and trees read it equally well.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "low": {"type": "number", "description": "lower end of the range"},
    "high": {"type": "number", "description": "upper end of the range, above `low`"},
}


def uniform(
    rng: np.random.Generator, samples: int, *, low: float = 0.0, high: float = 1.0
) -> np.ndarray:
    return rng.uniform(low, high, samples)
