"""Root mean squared percentage error: of the errors as shares of the true values.

0 for a perfect submission; predicting 0 everywhere scores 1. Rows whose true value is 0 do not
count.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["regression", "forecasting", "multi_target", "sequence_regression"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
TRUTH = "positive"
PARAMETERS = {}


def rmspe(truth: np.ndarray, prediction: np.ndarray) -> float:
    # Smaller numbers are 0 that was rounded on the way.
    counted = np.abs(truth) > 1e-9
    share = (truth[counted] - prediction[counted]) / truth[counted]
    return float(np.sqrt(np.mean(share**2))) if counted.any() else 0.0
