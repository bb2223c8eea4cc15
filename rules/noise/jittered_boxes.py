"""Boxes drawn by hand: their sides are a little off.

Difficulty: rises with `scale`; what is learnt from many boxes evens it out.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["detection"]
PARAMETERS = {
    "scale": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 4,
        "description": "standard deviation of each side's place, in pixels",
        "examples": [0.5, 0.8],
    },
}


def jittered_boxes(
    rng: np.random.Generator, labels: np.ndarray, *, scale: float = 0.6
) -> np.ndarray:
    found = np.empty(len(labels), dtype=object)
    for sample, boxes in enumerate(labels):
        # A box that lay in the picture stays there on the left and at the top.
        begin = np.maximum(boxes[:, 1:3] + rng.normal(0.0, scale, (len(boxes), 2)), 0.0)
        end = boxes[:, 1:3] + boxes[:, 3:] + rng.normal(0.0, scale, (len(boxes), 2))
        shape = np.maximum(end - begin, 1.0)
        found[sample] = np.round(np.column_stack([boxes[:, 0], begin, shape]), 2)
    return found
