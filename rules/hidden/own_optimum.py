"""How near a number is to the optimum that each level of a category has for itself.

The optima are spread evenly over the samples, so the number alone says little.

Difficulty: rises with the number of levels (share of the way from chance to the true feature that
the best raw model covers on 150 rows: 2 .65, 4 .39, 8 .27, 16 .17).
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "level": {"$ref": "#/$defs/category_factor"},
}


def own_optimum(rng: np.random.Generator, *, of: np.ndarray, level: np.ndarray) -> np.ndarray:
    levels, place = np.unique(level, return_inverse=True)
    optima = rng.permutation(np.linspace(0.1, 0.9, len(levels)))
    return -np.abs(fractions(of) - optima[place])
