"""Whether two numbers deviate from their medians to the same side.

Neither factor says anything alone, so linear models stay at chance and trees need both at once.

Difficulty: rises with the number of distractor columns (share of the way from chance to the true
feature that the best raw model covers: 4 columns .81, 12 columns .44, 24 columns .26).
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "left": {"$ref": "#/$defs/number_factor"},
    "right": {"$ref": "#/$defs/number_factor"},
}


def sign_product(rng: np.random.Generator, *, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return (left - np.median(left)) * (right - np.median(right))
