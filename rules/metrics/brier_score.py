"""Mean squared difference between the predicted probability and what is true, 0 or 1.

0 for a perfect submission; the best constant one gives the share p of positive rows: p (1 - p).
"""

import numpy as np

PREDICTS = "probability"
TASKS = ["binary", "multilabel"]
GREATER_IS_BETTER = False
BOUNDS = [0, 1]
PARAMETERS = {}


def brier_score(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean((truth - prediction) ** 2))
