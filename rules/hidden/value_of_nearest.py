"""The value that a number has in the nearest other sample, in the space of some numbers.

The answer stands in another row, of the training or of the test set.

Difficulty: very high for raw models (they cover .03 of the way from chance to the true feature);
for attentive ones it rises with the number of factors in `near`.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "near": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 1,
        "maxItems": 6,
        "description": "the numbers that say how near two samples are",
        "examples": [["a"], ["a", "b"]],
    },
}


def value_of_nearest(
    rng: np.random.Generator, *, of: np.ndarray, near: Sequence[np.ndarray]
) -> np.ndarray:
    distance = np.zeros((len(of), len(of)))
    for values in near:
        place = np.round(standardize(values), 9)
        distance += (place[:, None] - place) ** 2
    np.fill_diagonal(distance, np.inf)
    return np.asarray(of[distance.argmin(axis=1)])
