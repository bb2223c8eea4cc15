"""Root mean squared error: the square root of the mean squared difference."""

import numpy as np

PREDICTS = "number"
TASKS = ["regression"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
PARAMETERS = {}


def rmse(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.sqrt(np.mean((truth - prediction) ** 2)))
