"""Mistakes a share of the labels of one class for another, and never the reverse: missed cases.

Difficulty: rises with `rate`: what is learnt leans to the other class, which costs most where a
metric judges decisions; ROC AUC minds it half as much as a `label_flip` in every class.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["binary", "multiclass", "multilabel", "ordinal"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.8,
        "description": "share of the labels of the class",
        "examples": [0.05, 0.1, 0.15, 0.2],
    },
    "mistaken": {
        "type": "integer",
        "minimum": 0,
        "description": "index of the class that is missed; the last when left out",
    },
    "taken_for": {
        "type": "integer",
        "minimum": 0,
        "description": "index of the class that it is taken for; the first when left out",
    },
}


def class_flip(
    rng: np.random.Generator,
    labels: np.ndarray,
    *,
    rate: float,
    mistaken: int | None = None,
    taken_for: int | None = None,
) -> np.ndarray:
    source = labels.max() if mistaken is None else mistaken
    given = labels.min() if taken_for is None else taken_for
    is_missed = (labels == source) & (rng.random(len(labels)) < rate)
    return np.where(is_missed, given, labels)
