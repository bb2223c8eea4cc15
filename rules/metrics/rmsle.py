"""Root mean squared error of the logarithms of 1 plus the values; negative values count as 0.

0 for a perfect submission; the best constant one is the geometric mean of the truth (plus 1).
"""

import numpy as np

PREDICTS = "number"
TASKS = ["regression", "forecasting", "multi_target", "sequence_regression"]
GREATER_IS_BETTER = False
BOUNDS = [0, 35]
TRUTH = "positive"
PARAMETERS = {}


def rmsle(truth: np.ndarray, prediction: np.ndarray) -> float:
    difference = np.log1p(np.maximum(truth, 0)) - np.log1p(np.maximum(prediction, 0))
    return float(np.sqrt(np.mean(difference**2)))
