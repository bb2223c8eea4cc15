"""Natural logarithm of the mean absolute error, which counts as 1e-9 at least.

-20.72 for a perfect submission; the best constant one is the median of the truth. Halving the
error gains log 2, however large it was.
Source: the score of the CHAMPS scalar coupling competition, there by group: {kind: per_group, of:
log_mae, by: ...}.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["regression", "forecasting", "multi_target", "sequence_regression"]
GREATER_IS_BETTER = False
BOUNDS = [-20.72326583694641, None]
PARAMETERS = {}


def log_mae(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.log(max(np.mean(np.abs(truth - prediction)), 1e-9)))
