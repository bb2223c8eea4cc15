"""Cohen's kappa with quadratic weights: agreement beyond chance, far misses weighing more.

A miss by k classes weighs k squared. 1 for a perfect submission, 0 for a constant one.
"""

import numpy as np
from sklearn.metrics import cohen_kappa_score

PREDICTS = "label"
TASKS = ["ordinal"]
GREATER_IS_BETTER = True
BOUNDS = [-1, 1]
PARAMETERS = {}


def quadratic_weighted_kappa(truth: np.ndarray, prediction: np.ndarray) -> float:
    # Kappa divides 0 by 0 where truth and prediction are the same one class.
    if (truth == prediction).all():
        return 1.0
    classes = np.arange(max(truth.max(), prediction.max()) + 1)
    return float(cohen_kappa_score(truth, prediction, labels=classes, weights="quadratic"))
