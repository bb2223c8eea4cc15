"""Symmetric mean absolute percentage error: twice the error over the sum of both sizes, in percent.

From 0 for a perfect submission to 200; predicting 0 everywhere scores 200. Rows where truth and
prediction are both 0 count 0.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["regression", "forecasting", "multi_target", "sequence_regression"]
GREATER_IS_BETTER = False
BOUNDS = [0, 200]
TRUTH = "positive"
PARAMETERS = {}


def smape(truth: np.ndarray, prediction: np.ndarray) -> float:
    error, size = np.abs(truth - prediction), np.abs(truth) + np.abs(prediction)
    return float(200 * np.mean(np.divide(error, size, out=np.zeros_like(size), where=size > 0)))
