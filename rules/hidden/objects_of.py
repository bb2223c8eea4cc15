"""The objects of some kinds; other kinds are there to be told from them.

Difficulty: rises as `kinds` leaves more out, and with the number of kinds that count, each of
which has fewer examples.
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
        "description": "the kinds that count, by number from 0; they become the classes, in order",
        "examples": [[0, 1]],
    },
}


def objects_of(rng: np.random.Generator, *, of: np.ndarray, kinds: Sequence[int]) -> np.ndarray:
    found = np.empty(len(of), dtype=object)
    for sample, boxes in enumerate(of):
        counted = boxes[np.isin(boxes[:, 0], kinds)]
        classes = [kinds.index(int(kind)) for kind in counted[:, 0]]
        found[sample] = np.column_stack([np.array(classes, dtype=float), counted[:, 1:]])
    return found
