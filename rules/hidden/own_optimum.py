"""How near a number is to the optimum that each level of a category has for itself.

Difficulty: rises with `spread`, and with the number of levels (share of the way from chance to the
true feature that the best raw model covers on 150 rows: 4 levels at spread .2 .87, .4 .67, .6 .47,
1 .39; at spread 1 2 levels .65, 12 levels .22).
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "level": {"$ref": "#/$defs/category_factor"},
    "spread": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "how far the optima lie apart: 0 for one optimum, 1 for evenly over the "
        "samples, so that the number alone says little",
        "examples": [0.2, 0.3, 0.4, 0.5],
    },
}


def own_optimum(
    rng: np.random.Generator, *, of: np.ndarray, level: np.ndarray, spread: float = 1.0
) -> np.ndarray:
    levels, place = np.unique(level, return_inverse=True)
    optima = 0.5 + 0.4 * spread * rng.permutation(np.linspace(-1.0, 1.0, len(levels)))
    return -np.abs(fractions(of) - optima[place])
