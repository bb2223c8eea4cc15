"""Binary cross-entropy of every column on its own, then their mean.

Probabilities count as 1e-15 at least and 1 - 1e-15 at most.
"""

import numpy as np

PREDICTS = "probability"
TASKS = ["multilabel"]
GREATER_IS_BETTER = False
BOUNDS = [0, 34.54]
PARAMETERS = {}


def mean_column_log_loss(truth: np.ndarray, prediction: np.ndarray) -> float:
    true_class = np.where(truth == 1, prediction, 1 - prediction)
    return float(-np.mean(np.log(np.clip(true_class, 1e-15, 1 - 1e-15))))
