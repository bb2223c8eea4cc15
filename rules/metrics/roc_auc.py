"""Area under the receiver operating characteristic curve."""

import numpy as np
from sklearn.metrics import roc_auc_score

PREDICTS = "probability"
TASKS = ["binary"]
GREATER_IS_BETTER = True
PARAMETERS = {}


def roc_auc(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(roc_auc_score(truth, prediction))
