"""Share of rows that are right in each true class, then the mean over the classes (macro recall).

1 for a perfect submission; a constant one scores 1 / K for K classes.
"""

import numpy as np

PREDICTS = "label"
TASKS = ["binary", "multiclass", "ordinal"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def balanced_accuracy(truth: np.ndarray, prediction: np.ndarray) -> float:
    right = truth == prediction
    return float(np.mean([right[truth == value].mean() for value in np.unique(truth)]))
