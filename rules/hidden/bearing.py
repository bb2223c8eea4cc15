"""A number as an angle: spread evenly between two bounds, in radians.

Difficulty: that of seeing the number.
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
RANGE = "angle"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "low": {
        "type": "number",
        "minimum": -3.1416,
        "maximum": 3.1416,
        "description": "the least angle",
        "examples": [0.4, 0.2],
    },
    "high": {
        "type": "number",
        "minimum": -3.1416,
        "maximum": 6.2832,
        "description": "the greatest angle; less than a turn above the least",
        "examples": [2.6, 2.9],
    },
}


def bearing(
    rng: np.random.Generator, *, of: np.ndarray, low: float = 0.4, high: float = 2.6
) -> np.ndarray:
    return low + (high - low) * fractions(of)
