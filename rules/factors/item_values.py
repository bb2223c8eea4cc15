"""A number for each of the items of a sample, such as the moments of its steps.

Difficulty: rises with `items` for rules that put them in order.
"""

import numpy as np

YIELDS = "numbers"
PARAMETERS = {
    "items": {
        "type": "integer",
        "minimum": 2,
        "maximum": 20,
        "description": "items a sample",
        "examples": [5, 6, 7],
    },
    "mean": {"type": "number", "description": "mean of all numbers"},
    "scale": {"type": "number", "exclusiveMinimum": 0, "description": "their standard deviation"},
}


def item_values(
    rng: np.random.Generator, samples: int, *, items: int = 6, mean: float = 0.0, scale: float = 1.0
) -> np.ndarray:
    return rng.normal(mean, scale, (samples, items))
