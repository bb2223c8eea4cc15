"""Area under the ROC curve: how often a positive row is ranked above a negative one.

Only the order of the predictions counts; ties count half; several columns are pooled. 1 for a
perfect submission, 0.5 for a constant one and where all rows are of one class.
"""

import numpy as np

from sandmle.runtime.agreement import rank_auc

PREDICTS = "probability"
TASKS = ["binary", "multilabel"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def roc_auc(truth: np.ndarray, prediction: np.ndarray) -> float:
    return rank_auc(truth.ravel(), prediction.ravel())
