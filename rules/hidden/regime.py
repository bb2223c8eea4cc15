"""One of several rules, chosen by the level of a category: each level, drawn at random, has one.

Difficulty: above that of its rules, each of which has only a part of the samples to be found on;
rises with the number of rules (share of the way from chance to the true feature that the best raw
model covers on 150 rows: 2 .43, 3 .26, 4 .19).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "by": {"$ref": "#/$defs/category_factor"},
    "of": {
        "type": "array",
        "items": {
            "$ref": "#/$defs/rule",
            "examples": [
                {"kind": "dip"},
                {"kind": "interval_band"},
                {"kind": "polynomial"},
                {"kind": "ascending"},
                {"kind": "ratio"},
            ],
        },
        "minItems": 2,
        "maxItems": 6,
        "description": "the rules",
        "examples": [["a", "b"], ["a", "b", "c"]],
    },
}


def regime(rng: np.random.Generator, *, by: np.ndarray, of: Sequence[np.ndarray]) -> np.ndarray:
    levels, level = np.unique(by, return_inverse=True)
    chosen = rng.permutation(np.resize(np.arange(len(of)), len(levels)))[level]
    ranks = np.column_stack([fractions(scores) for scores in of])
    return np.asarray(ranks[np.arange(len(by)), chosen])
