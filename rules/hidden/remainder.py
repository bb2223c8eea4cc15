"""What is left when a sum of whole numbers is divided: a check digit, a place in a rota.

Difficulty: very high with two numbers or more, where the best raw model stays at chance; with one,
it falls as `modulus` grows and as the range of the number shrinks, so that it can be learnt by
heart.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "category"
CLASSES = "modulus"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor", "examples": ["integer"]},
        "minItems": 1,
        "maxItems": 4,
        "description": "whole numbers; others are rounded",
        "examples": [["a"], ["a", "b"]],
    },
    "modulus": {
        "type": "integer",
        "minimum": 2,
        "maximum": 10,
        "description": "the divisor, which is the number of classes",
    },
}


def remainder(
    rng: np.random.Generator, *, of: Sequence[np.ndarray], modulus: int = 3
) -> np.ndarray:
    total = sum(np.rint(values).astype(int) for values in of)
    return np.asarray(total) % modulus
