"""The objects of some kinds that have an object of another kind beside them.

Difficulty: falls as `within` grows, until all objects have such a neighbour.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "boxes"
CLASSES = "kinds"
PARAMETERS = {
    "of": {"$ref": "#/$defs/boxes_factor"},
    "kinds": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 5},
        "minItems": 1,
        "uniqueItems": True,
        "description": "the kinds that may count, by number from 0; they become the classes",
        "examples": [[0, 1]],
    },
    "marker": {
        "type": "integer",
        "minimum": 0,
        "maximum": 5,
        "description": "the kind that must stand beside them",
        "examples": [2],
    },
    "within": {
        "type": "number",
        "minimum": 1,
        "maximum": 64,
        "description": "greatest distance of the two centres, in pixels",
        "examples": [22, 18],
    },
}


def objects_beside(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    kinds: Sequence[int],
    marker: int,
    within: float = 20.0,
) -> np.ndarray:
    found = np.empty(len(of), dtype=object)
    for sample, boxes in enumerate(of):
        middle = boxes[:, 1:3] + boxes[:, 3:] / 2
        apart = np.linalg.norm(middle[:, None] - middle[boxes[:, 0] == marker], axis=2)
        beside = (apart <= within).any(axis=1) & np.isin(boxes[:, 0], kinds)
        classes = [kinds.index(int(kind)) for kind in boxes[beside, 0]]
        found[sample] = np.column_stack([np.array(classes, dtype=float), boxes[beside, 1:]])
    return found
