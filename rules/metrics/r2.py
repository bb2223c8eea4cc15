"""Coefficient of determination: the share of the variance that the prediction explains.

1 for a perfect prediction, 0 for the mean of the truth, below 0 for worse.
"""

import numpy as np
from sklearn.metrics import r2_score

PREDICTS = "number"
TASKS = ["regression"]
GREATER_IS_BETTER = True
BOUNDS = [None, 1]
PARAMETERS = {}


def r2(truth: np.ndarray, prediction: np.ndarray) -> float:
    # One row has no variance to explain.
    return float(r2_score(truth, prediction)) if len(truth) > 1 else 0.0
