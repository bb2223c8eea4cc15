"""Which of several numbers deviates most from its usual value, to either side.

Difficulty: rises with the number of factors in `of`, which is also the number of classes.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "category"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 10,
        "description": "the numbers, class 0 first",
    },
}


def most_extreme(rng: np.random.Generator, *, of: Sequence[np.ndarray]) -> np.ndarray:
    deviations = np.column_stack([np.abs(fractions(values) - 0.5) for values in of])
    return deviations.argmax(axis=1)
