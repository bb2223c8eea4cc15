"""Whether two other rules hold at once: the lower of their ranks.

Difficulty: above that of the harder rule: a sample must be found high by both (share of the way
from chance to the true feature that the best raw model covers on 150 rows: `interval_band` and
`dip` .68, two `interval_band` .50).
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "left": {
        "$ref": "#/$defs/rule",
        "examples": [
            {"kind": "interval_band"},
            {"kind": "polynomial"},
            {"kind": "sign_product"},
            {"kind": "piecewise_regime"},
            {"kind": "periodic"},
        ],
    },
    "right": {
        "$ref": "#/$defs/rule",
        "examples": [
            {"kind": "dip"},
            {"kind": "interval_band"},
            {"kind": "ratio"},
            {"kind": "lookup"},
        ],
    },
}


def both(rng: np.random.Generator, *, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(np.minimum(fractions(left), fractions(right)))
