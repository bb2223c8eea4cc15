"""The sector of a plane that two numbers fall in, where the sectors wind around the centre.

Difficulty: rises with `twist` and with `classes` (share of the way from chance to the truth that
the best raw model covers on 120 rows: 0 .88, .15 .74, .25 .64, .4 .46).
"""

import numpy as np

from sandmle.runtime.scaling import fractions, standardize

YIELDS = "category"
CLASSES = "classes"
PARAMETERS = {
    "across": {"$ref": "#/$defs/number_factor"},
    "along": {"$ref": "#/$defs/number_factor"},
    "classes": {
        "type": "integer",
        "minimum": 2,
        "maximum": 10,
        "description": "sectors of the plane",
    },
    "twist": {
        "type": "number",
        "minimum": 0,
        "maximum": 3,
        "description": "turns that a sector makes for each standard deviation from the centre; "
        "0 for plain wedges",
        "examples": [0, 0.15, 0.2],
    },
}


def spiral_sector(
    rng: np.random.Generator,
    *,
    across: np.ndarray,
    along: np.ndarray,
    classes: int = 3,
    twist: float = 0.25,
) -> np.ndarray:
    x, y = standardize(across), standardize(along)
    turns = np.arctan2(y, x) / (2 * np.pi) + twist * np.hypot(x, y)
    return np.minimum((fractions(turns % 1.0) * classes).astype(int), classes - 1)
