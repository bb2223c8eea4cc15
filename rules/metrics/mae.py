"""Mean absolute error: the mean of the absolute differences.

0 for a perfect submission; the best constant one is the median of the truth.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["regression", "forecasting", "multi_target", "sequence_regression", "image_to_image"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
PARAMETERS = {}


def mae(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean(np.abs(truth - prediction)))
