"""Matthews correlation coefficient between the true and the predicted classes.

1 for a perfect submission, 0 for a constant one.
"""

import numpy as np
from sklearn.metrics import matthews_corrcoef

PREDICTS = "label"
TASKS = ["binary", "multiclass"]
GREATER_IS_BETTER = True
BOUNDS = [-1, 1]
PARAMETERS = {}


def matthews_correlation(truth: np.ndarray, prediction: np.ndarray) -> float:
    if truth.min() == truth.max() or prediction.min() == prediction.max():
        return 0.0
    return float(matthews_corrcoef(truth, prediction))
