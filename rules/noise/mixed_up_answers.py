"""Gives a share of the samples the answer of another sample.

Difficulty: rises with `rate`.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["seq2seq", "extractive_qa"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of answers",
        "examples": [0.03, 0.06],
    },
}


def mixed_up_answers(rng: np.random.Generator, labels: np.ndarray, *, rate: float) -> np.ndarray:
    other = (np.arange(len(labels)) + rng.integers(1, max(len(labels), 2), len(labels))) % len(
        labels
    )
    return np.where(rng.random(len(labels)) < rate, labels[other], labels)
