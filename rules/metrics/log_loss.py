"""Cross-entropy: minus the mean natural logarithm of the probability given to the true class.

Probabilities count as 1e-15 at least and 1 - 1e-15 at most. 0 for a perfect submission; the best
constant one gives each class its share, and scores the entropy of the classes.
"""

import numpy as np

PREDICTS = "probability"
TASKS = ["binary", "multiclass", "preference"]
GREATER_IS_BETTER = False
BOUNDS = [0, 34.54]
PARAMETERS = {}


def log_loss(truth: np.ndarray, prediction: np.ndarray) -> float:
    true_class = np.where(truth == 1, prediction, 1 - prediction)
    if truth.ndim == 2:
        true_class = (truth * prediction).sum(axis=1)
    return float(-np.mean(np.log(np.clip(true_class, 1e-15, 1 - 1e-15))))
