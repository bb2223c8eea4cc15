"""Root mean squared error: the square root of the mean squared difference.

0 for a perfect submission; the best constant one is the mean of the truth, and scores its standard
deviation.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["regression", "forecasting", "multi_target", "sequence_regression", "image_to_image"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
PARAMETERS = {}


def rmse(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.sqrt(np.mean((truth - prediction) ** 2)))
