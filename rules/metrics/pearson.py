"""Pearson's correlation between the predicted and the true values.

1 for a perfect submission; 0 where truth or prediction is the same for all rows.
"""

import numpy as np

from sandmle.runtime.agreement import correlation

PREDICTS = "number"
TASKS = ["regression", "forecasting"]
GREATER_IS_BETTER = True
BOUNDS = [-1, 1]
PARAMETERS = {}


def pearson(truth: np.ndarray, prediction: np.ndarray) -> float:
    return correlation(truth, prediction)
