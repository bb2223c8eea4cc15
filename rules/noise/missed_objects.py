"""Objects that whoever listed them has overlooked, and some listed under a wrong class.

Difficulty: rises with `rate` and `confused`.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["detection"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of objects that are missing",
        "examples": [0.05, 0.1],
    },
    "confused": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of objects with the class of a random one",
    },
}


def missed_objects(
    rng: np.random.Generator, labels: np.ndarray, *, rate: float = 0.1, confused: float = 0.0
) -> np.ndarray:
    classes = np.concatenate([boxes[:, 0] for boxes in labels])
    found = np.empty(len(labels), dtype=object)
    for sample, boxes in enumerate(labels):
        seen = boxes[rng.random(len(boxes)) >= rate].copy()
        wrong = rng.random(len(seen)) < confused
        if wrong.any():
            seen[wrong, 0] = rng.choice(classes, wrong.sum())
        found[sample] = seen
    return found
