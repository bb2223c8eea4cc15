"""Whole grades of relevance by what another rule says, the best of each group the highest.

Grade 0 is the most frequent, the highest the rarest: a share s of a group lies below the grade of
`grades` times s squared.

Difficulty: that of the other rule.
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/rule",
        "examples": [
            {"kind": "ratio"},
            {"kind": "own_optimum"},
            {"kind": "distance_to_point"},
            {"kind": "piecewise_regime"},
            {"kind": "sign_product"},
        ],
    },
    "group": {"$ref": "#/$defs/category_factor", "examples": ["group"]},
    "grades": {
        "type": "integer",
        "minimum": 2,
        "maximum": 10,
        "description": "how many grades, counted from 0",
        "examples": [4, 5],
    },
}


def grade_in_group(
    rng: np.random.Generator, *, of: np.ndarray, group: np.ndarray, grades: int = 4
) -> np.ndarray:
    grade = np.empty(len(of))
    for name in np.unique(group):
        members = group == name
        grade[members] = np.floor(grades * fractions(of[members]) ** 2)
    return np.minimum(grade, grades - 1)
