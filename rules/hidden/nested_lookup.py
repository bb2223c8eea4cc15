"""A value that each pair of levels of two categories has for itself, drawn at random.

Neither category alone says anything on average.

Difficulty: rises with the number of pairs, the product of the numbers of levels (share of the way
from chance to the true feature that the best raw model covers on 120 rows: 5 x 5 .91, 8 x 8 .63,
12 x 12 .39).
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "outer": {"$ref": "#/$defs/category_factor"},
    "inner": {"$ref": "#/$defs/category_factor"},
}


def nested_lookup(rng: np.random.Generator, *, outer: np.ndarray, inner: np.ndarray) -> np.ndarray:
    rows, row = np.unique(outer, return_inverse=True)
    columns, column = np.unique(inner, return_inverse=True)
    values = rng.permuted(np.tile(np.linspace(-1.0, 1.0, len(columns)), (len(rows), 1)), axis=1)
    values = values + rng.permutation(np.linspace(-0.01, 0.01, len(rows)))[:, None]
    return values[row, column]
