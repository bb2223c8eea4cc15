"""Which of several numbers deviates most from its usual value, to either side.

Difficulty: middling at any setting (the best raw model covers about .53 of the way from chance to
the truth on 120 rows); each factor in `of` is a class of its own.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "category"
CLASSES = "of"
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
