"""A value that each level of a category has for itself, drawn at random.

Difficulty: rises with the number of levels, but slowly where a column shows them: the best raw
model covers .97 of the way from chance to the true feature with 30 levels, .86 with 80, on 120
rows. Nest it, or hide the category in a `code_column`.
"""

import numpy as np

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "of": {"$ref": "#/$defs/category_factor"},
}


def lookup(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    levels, level = np.unique(of, return_inverse=True)
    return rng.permutation(np.linspace(-1.0, 1.0, len(levels)))[level]
