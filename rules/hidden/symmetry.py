"""How nearly a row of numbers reads the same from both ends.

Difficulty: hardly depends on the number of factors in `of` (share of the way from chance to the
true feature that the best raw model covers on 150 rows: 2 .54, 4 .47, 6 .39; the strongest raw
models do not fall at all); linear models stay at chance.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 8,
        "description": "the numbers in their order; the middle one of an odd count is free",
        "examples": [["a", "b", "c", "d"]],
    },
}


def symmetry(rng: np.random.Generator, *, of: Sequence[np.ndarray]) -> np.ndarray:
    row = np.column_stack([standardize(values) for values in of])
    return -np.asarray(np.abs(row - row[:, ::-1]).sum(axis=1))
