"""Average precision: precision at each positive row, going down the ranking, averaged.

Only the order of the predictions counts; several columns are pooled. 1 for a perfect submission; a
constant one scores the share of positive rows. 0 where no row is positive.
"""

import numpy as np
from sklearn.metrics import average_precision_score

PREDICTS = "probability"
TASKS = ["binary", "multilabel"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def average_precision(truth: np.ndarray, prediction: np.ndarray) -> float:
    truth, prediction = truth.ravel(), prediction.ravel()
    return float(average_precision_score(truth, prediction)) if truth.any() else 0.0
