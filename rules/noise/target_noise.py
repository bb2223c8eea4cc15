"""Adds normal noise to the numbers of a regression target.

Difficulty: rises with `scale`; a scale s leaves at best s / sqrt(1 + s * s) of the noisy target's
standard deviation as error. Give it `split: both`, so that the test set is as noisy.
"""

import numpy as np

DISTURBS = "labels"
TASKS = [
    "regression",
    "multi_target",
    "forecasting",
    "ranking",
    "probabilistic_regression",
    "sequence_regression",
]
PARAMETERS = {
    "scale": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "standard deviation of the noise, in those of the target",
        "examples": [0.4, 0.3, 0.2],
    },
}


def target_noise(rng: np.random.Generator, labels: np.ndarray, *, scale: float) -> np.ndarray:
    return labels + rng.normal(0.0, scale * labels.std(), labels.shape)
