"""A smooth curve over one number that turns a given number of times: a Chebyshev polynomial.

Difficulty: rises with `turns` (share of the way from chance to the true feature that the best raw
model covers on 150 rows: 1 .98, 3 .91, 4 .86, 6 .68).
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "turns": {
        "type": "integer",
        "minimum": 0,
        "maximum": 12,
        "description": "how often the curve turns; 0 for a straight line",
        "examples": [1, 2, 3, 4],
    },
}


def polynomial(rng: np.random.Generator, *, of: np.ndarray, turns: int = 2) -> np.ndarray:
    place = 2 * fractions(of) - 1
    return np.asarray(rng.choice([-1.0, 1.0]) * np.cos((turns + 1) * np.arccos(place)))
