"""The check digit of several whole numbers: their digits, weighted in turn, up to a multiple.

As in article and account numbers (weights 1 and 3 and modulus 10 make an EAN).

Difficulty: very high at any setting: raw models stay at chance.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "category"
CLASSES = "modulus"
DRAFTED = False
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor", "examples": ["integer"]},
        "minItems": 1,
        "maxItems": 6,
        "description": "whole numbers, in the order of the code; others are rounded",
    },
    "modulus": {
        "type": "integer",
        "minimum": 2,
        "maximum": 11,
        "description": "the divisor, which is the number of classes",
    },
    "weights": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 99},
        "minItems": 1,
        "maxItems": 12,
        "description": "what digits count, from the last one on and over again",
    },
}


def checksum(
    rng: np.random.Generator,
    *,
    of: Sequence[np.ndarray],
    modulus: int = 10,
    weights: Sequence[int] = (1, 3),
) -> np.ndarray:
    total, place = np.zeros(len(of[0]), dtype=int), 0
    for values in reversed(of):
        rest = np.abs(np.rint(values)).astype(int)
        for _ in range(len(str(rest.max()))):
            total += weights[place % len(weights)] * (rest % 10)
            rest, place = rest // 10, place + 1
    return -total % modulus
