"""Share of rows whose predicted class is right.

1 for a perfect submission; the best constant one scores the share of the most common class.
"""

import numpy as np

PREDICTS = "label"
TASKS = ["binary", "multiclass", "ordinal", "preference"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def accuracy(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean(truth == prediction))
