"""Adds normal noise to a number whose size depends on a factor: some rows can be known better.

Difficulty: rises with `scale`; a larger `slope` rewards those who see which rows are uncertain.
Give it `split: both`, so that the test set is as noisy.
"""

import numpy as np

from sandmle.runtime.scaling import standardize

DISTURBS = "labels"
TASKS = ["regression", "multi_target", "forecasting", "probabilistic_regression"]
PARAMETERS = {
    "by": {
        "$ref": "#/$defs/number_factor",
        "description": "the larger it is, the larger the noise",
        "examples": ["normal", "uniform"],
    },
    "scale": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "standard deviation of all the noise, in those of the target",
        "examples": [0.4, 0.5],
    },
    "slope": {
        "type": "number",
        "minimum": 0,
        "maximum": 3,
        "description": "how far a standard deviation of the factor raises the log of the size",
        "examples": [0.8, 1.1],
    },
}


def uneven_noise(
    rng: np.random.Generator,
    labels: np.ndarray,
    *,
    by: np.ndarray,
    scale: float,
    slope: float = 0.8,
) -> np.ndarray:
    size = np.exp(slope * np.clip(standardize(by), -2.5, 2.5))
    size = size / np.sqrt(np.mean(size**2))
    return labels + scale * labels.std() * size * rng.normal(0.0, 1.0, len(labels))
