"""How well two numbers stand in the right proportion, or how large their ratio is.

Difficulty: rises with `band`: at 0 a larger ratio always scores higher, which raw models read off
both columns; at 1 only a middling ratio scores high, too much and too little are alike (share of
the way from chance to the true feature that the best raw model covers on 120 rows: 0 .94, .6 .60,
1 .42).
"""

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "numerator": {"$ref": "#/$defs/number_factor"},
    "denominator": {"$ref": "#/$defs/number_factor"},
    "band": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "0 for the more the better, 1 for the middle is best",
        "examples": [0.8, 0.9, 1],
    },
}


def ratio(
    rng: np.random.Generator, *, numerator: np.ndarray, denominator: np.ndarray, band: float = 1.0
) -> np.ndarray:
    proportion = standardize(_logarithm(numerator) - _logarithm(denominator))
    return (1 - band) * proportion - band * np.abs(proportion)


def _logarithm(values: np.ndarray) -> np.ndarray:
    """The logarithm of `values`, which are first moved above zero where they are not."""
    lowest = values.min()
    return np.log(values if lowest > 0 else values - lowest + 0.5 * (values.std() or 1.0))
