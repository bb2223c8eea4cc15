"""Whether several numbers stand in ascending order: the smallest step from one to the next.

Difficulty: rises with the number of factors in `of` (share of the way from chance to the true
feature that the best raw model covers on 150 rows: 2 .95, 3 .78, 4 .62, 5 .42).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 8,
        "description": "the numbers in the order in which they should rise",
        "examples": [["a", "b", "c"], ["a", "b", "c", "d"]],
    },
}


def ascending(rng: np.random.Generator, *, of: Sequence[np.ndarray]) -> np.ndarray:
    places = np.column_stack([fractions(values) for values in of])
    return np.asarray(np.diff(places, axis=1).min(axis=1))
