"""How many objects of one kind a picture has.

Difficulty: rises with the number of other kinds, which must be told apart.
"""

import numpy as np

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "of": {"$ref": "#/$defs/boxes_factor"},
    "of_kind": {
        "type": "integer",
        "minimum": 0,
        "maximum": 5,
        "description": "the kind that counts, by number from 0",
        "examples": [0],
    },
}


def object_count(rng: np.random.Generator, *, of: np.ndarray, of_kind: int) -> np.ndarray:
    return np.array([(boxes[:, 0] == of_kind).sum() for boxes in of], dtype=float)
