"""How far one number lies between two others, whichever of them is the greater.

Difficulty: middling at any setting (the best raw model covers .41 of the way from chance to the
true feature on 150 rows); linear models stay at chance.
"""

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "left": {"$ref": "#/$defs/number_factor"},
    "right": {"$ref": "#/$defs/number_factor"},
}


def between(
    rng: np.random.Generator, *, of: np.ndarray, left: np.ndarray, right: np.ndarray
) -> np.ndarray:
    place = standardize(of)
    return (place - standardize(left)) * (standardize(right) - place)
