"""Moves a share of ordered labels by one class, up or down.

Difficulty: rises with `rate`, about half as fast as with `label_flip` where the metric forgives
near misses.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["ordinal"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of labels",
        "examples": [0.05, 0.1],
    },
}


def neighbour_flip(rng: np.random.Generator, labels: np.ndarray, *, rate: float) -> np.ndarray:
    step = rng.choice([-1, 1], len(labels))
    lowest, highest = labels.min(), labels.max()
    step = np.where((labels + step < lowest) | (labels + step > highest), -step, step)
    return np.where(rng.random(len(labels)) < rate, labels + step, labels)
