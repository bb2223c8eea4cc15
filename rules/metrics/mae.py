"""Mean absolute error: the mean of the absolute differences."""

import numpy as np

PREDICTS = "number"
TASKS = ["regression"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
PARAMETERS = {}


def mae(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean(np.abs(truth - prediction)))
