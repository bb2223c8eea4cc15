"""Coefficient of determination: the share of the variance that the prediction explains.

1 for a perfect submission, 0 for the mean of the truth, below 0 for worse.
"""

import numpy as np
from sklearn.metrics import r2_score

PREDICTS = "number"
TASKS = ["regression", "forecasting", "sequence_regression", "image_to_image"]
GREATER_IS_BETTER = True
BOUNDS = [None, 1]
PARAMETERS = {}


def r2(truth: np.ndarray, prediction: np.ndarray) -> float:
    # One number has no variance to explain.
    return float(r2_score(truth.ravel(), prediction.ravel())) if truth.size > 1 else 0.0
