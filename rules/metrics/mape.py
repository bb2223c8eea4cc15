"""Mean absolute percentage error: the mean of the errors as shares of the true values.

0 for a perfect submission; predicting 0 everywhere scores 1. Rows whose true value is 0 do not
count.
"""

import numpy as np

from sandmle.runtime.agreement import relative_errors

PREDICTS = "number"
TASKS = ["regression", "forecasting", "multi_target", "sequence_regression"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
TRUTH = "positive"
PARAMETERS = {}


def mape(truth: np.ndarray, prediction: np.ndarray) -> float:
    shares = relative_errors(truth, prediction)
    return float(np.mean(np.abs(shares))) if len(shares) else 0.0
