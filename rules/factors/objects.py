"""Several objects of a few kinds in a picture, apart from each other: where they are.

Difficulty: none of its own; small objects (`side`) hide in grain, and many leave less room for
chance.
"""

import numpy as np

YIELDS = "boxes"
PARAMETERS = {
    "size": {
        "$ref": "#/$defs/size",
        "description": "width and height of the picture in pixels",
    },
    "kinds": {
        "type": "integer",
        "minimum": 1,
        "maximum": 6,
        "description": "how many kinds there are",
        "examples": [3, 4],
    },
    "count": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 12},
        "minItems": 2,
        "maxItems": 2,
        "description": "fewest and most objects; fewer where there is no room",
        "examples": [[3, 6]],
    },
    "side": {
        "type": "array",
        "items": {"type": "integer", "minimum": 4, "maximum": 24},
        "minItems": 2,
        "maxItems": 2,
        "description": "shortest and longest side, in pixels",
        "examples": [[7, 11], [6, 10]],
    },
    "gap": {"type": "integer", "minimum": 0, "maximum": 8, "description": "room between two"},
}


def objects(
    rng: np.random.Generator,
    samples: int,
    *,
    size: tuple[int, int] = (48, 48),
    kinds: int = 3,
    count: tuple[int, int] = (3, 6),
    side: tuple[int, int] = (7, 11),
    gap: int = 2,
) -> np.ndarray:
    found = np.empty(samples, dtype=object)
    for sample, wanted in enumerate(rng.integers(count[0], count[1], samples, endpoint=True)):
        boxes = np.zeros((0, 5))
        shape = rng.integers(side[0], side[1], (8 * wanted, 2), endpoint=True)
        corner = np.floor(rng.random(shape.shape) * (np.array(size) - shape + 1))
        kind = rng.integers(0, kinds, len(shape))
        for box in np.column_stack([kind, corner, shape]):
            # Two boxes are apart where one ends, with the gap, before the other begins.
            ends = boxes[:, 1:3] + boxes[:, 3:] + gap <= box[1:3]
            begins = box[1:3] + box[3:] + gap <= boxes[:, 1:3]
            if (ends | begins).any(axis=1).all() and len(boxes) < wanted:
                boxes = np.vstack([boxes, box])
        found[sample] = boxes
    return found
