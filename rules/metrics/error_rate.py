"""Share of rows whose predicted class is wrong: 1 minus the accuracy, or top-1 error.

0 for a perfect submission; the best constant one misses all but the most common class.
"""

import numpy as np

PREDICTS = "label"
TASKS = ["binary", "multiclass", "ordinal", "preference"]
GREATER_IS_BETTER = False
BOUNDS = [0, 1]
PARAMETERS = {}


def error_rate(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean(truth != prediction))
