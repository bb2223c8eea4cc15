"""Whether several numbers all deviate from their medians to the same side, whichever it is.

Difficulty: middling, whatever the number of factors in `of` (share of the way from chance to the
true feature that the best raw model covers on 150 rows: 2 .50, 3 .67, 4 .54); linear models stay at
chance.
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
        "maxItems": 6,
        "description": "the numbers",
        "examples": [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]],
    },
}


def same_side(rng: np.random.Generator, *, of: Sequence[np.ndarray]) -> np.ndarray:
    places = np.column_stack([fractions(values) - 0.5 for values in of])
    return np.asarray(np.maximum(places.min(axis=1), -places.max(axis=1)))
