"""Spearman's rank correlation: whether larger predictions go with larger true values.

Only the order counts. 1 for a perfect submission; 0 where truth or prediction is the same for all
rows.
"""

import numpy as np

from sandmle.runtime.agreement import correlation
from sandmle.runtime.scaling import fractions

PREDICTS = "number"
TASKS = ["regression", "forecasting", "ranking"]
GREATER_IS_BETTER = True
BOUNDS = [-1, 1]
PARAMETERS = {}


def spearman(truth: np.ndarray, prediction: np.ndarray) -> float:
    return correlation(fractions(truth), fractions(prediction))
