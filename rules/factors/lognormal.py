"""A positive number whose logarithm is normal: incomes, prices, concentrations.

Difficulty: rises with `sigma`, as a longer tail pulls linear models; trees don't mind.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "median": {"type": "number", "exclusiveMinimum": 0, "description": "half lie below it"},
    "sigma": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 3,
        "description": "standard deviation of the natural logarithm",
    },
}


def lognormal(
    rng: np.random.Generator, samples: int, *, median: float = 1.0, sigma: float = 0.5
) -> np.ndarray:
    return median * rng.lognormal(0.0, sigma, samples)
