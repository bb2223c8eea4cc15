"""Adds normal noise to a number factor, before any observe word shows it.

The rule keeps the true values, so this bounds what any model can reach, in every modality alike.

Difficulty: rises with `scale`.
"""

import numpy as np

DISTURBS = "factor"
TAKES = ["number"]
PARAMETERS = {
    "scale": {
        "type": "number",
        "minimum": 0,
        "maximum": 3,
        "description": "standard deviation of the noise, in those of the factor",
    },
}


def factor_noise(rng: np.random.Generator, values: np.ndarray, *, scale: float) -> np.ndarray:
    return values + rng.normal(0.0, scale * values.std(), values.shape)
