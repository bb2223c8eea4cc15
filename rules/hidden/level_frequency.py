"""How frequent a sample's level of a category is among all samples, of train and test.

Difficulty: rises with the number of levels (share of the way from chance to the true feature that
the best raw model covers on 150 rows: 10 .96, 30 .69, 60 .40, 120 .16); counting makes it easy.
"""

import numpy as np

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/category_factor",
        "description": "a category whose levels differ in frequency",
    },
}


def level_frequency(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    _, member, sizes = np.unique(of, return_inverse=True, return_counts=True)
    return sizes[member] / len(of)
