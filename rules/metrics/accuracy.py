"""Share of rows whose predicted class is right."""

import numpy as np

PREDICTS = "label"
TASKS = ["binary", "multiclass", "ordinal"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def accuracy(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean(truth == prediction))
