"""Replaces a share of the class labels by another class.

Difficulty: rises with `rate`; a rate e caps ROC AUC on equally noisy labels near 1 - e, so keep
it at .1 or below.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["binary", "multiclass", "multilabel", "ordinal", "preference"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.4,
        "description": "share of labels",
        "examples": [0.02, 0.04, 0.06, 0.08, 0.1],
    },
}


def label_flip(rng: np.random.Generator, labels: np.ndarray, *, rate: float) -> np.ndarray:
    classes = np.unique(labels)
    position = np.searchsorted(classes, labels)
    shift = rng.integers(1, len(classes), len(labels)) if len(classes) > 1 else 0
    flipped = classes[(position + shift) % len(classes)]
    return np.where(rng.random(len(labels)) < rate, flipped, labels)
