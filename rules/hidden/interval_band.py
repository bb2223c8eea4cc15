"""How near a number is to the middle of one of several evenly filled bands.

Difficulty: rises with `bands` (share of the way from chance to the true feature that the best raw
model covers on 120 rows: 1 .98, 2 .86, 3 .53, 4 .28, 6 .16).
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "bands": {
        "type": "integer",
        "minimum": 1,
        "maximum": 12,
        "description": "bands that the range is divided into, each with as many samples",
        "examples": [2, 3, 4],
    },
}


def interval_band(rng: np.random.Generator, *, of: np.ndarray, bands: int = 3) -> np.ndarray:
    return 0.5 - np.abs(fractions(of) * bands % 1.0 - 0.5)
