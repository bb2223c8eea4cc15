"""Median of the absolute differences: half of the rows are predicted more closely.

0 for a perfect submission; the best constant one lies where half of the true values are nearest.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["regression", "forecasting", "multi_target", "sequence_regression"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
PARAMETERS = {}


def median_absolute_error(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.median(np.abs(truth - prediction)))
