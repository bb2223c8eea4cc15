"""The place that the first of several numbers takes among them: 0 for the least.

Difficulty: rises with the number of factors in `of`, of which each makes a class (share of the way
from chance to the truth that the best raw model covers on 150 rows: 2 .95, 3 .61, 4 .45, 5 .37).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "category"
CLASSES = "of"
DRAFTED = False
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 10,
        "description": "the numbers, first the one whose place is asked for",
    },
}


def place_among(rng: np.random.Generator, *, of: Sequence[np.ndarray]) -> np.ndarray:
    places = np.column_stack([fractions(values) for values in of])
    return np.asarray((places[:, 1:] < places[:, :1]).sum(axis=1))
