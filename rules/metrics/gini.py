"""Normalised Gini coefficient of probabilities: twice the ROC AUC, minus 1.

Only the order of the predictions counts. 1 for a perfect submission, 0 for a constant one.
"""

import numpy as np

from sandmle.runtime.agreement import rank_auc

PREDICTS = "probability"
TASKS = ["binary"]
GREATER_IS_BETTER = True
BOUNDS = [-1, 1]
PARAMETERS = {}


def gini(truth: np.ndarray, prediction: np.ndarray) -> float:
    return 2 * rank_auc(truth, prediction) - 1
