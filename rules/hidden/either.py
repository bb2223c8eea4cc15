"""Whether at least one of two other rules holds: the higher of their ranks.

Difficulty: about that of the harder rule: half of what scores high is its doing alone (share of the
way from chance to the true feature that the best raw model covers on 150 rows: `interval_band` or
`dip` .79, two `interval_band` .48).
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


def either(rng: np.random.Generator, *, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(fractions(left), fractions(right)))
