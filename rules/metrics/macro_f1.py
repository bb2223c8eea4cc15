"""F1 score (harmonic mean of precision and recall) of each class or label, then their mean.

A class that is predicted but never true counts 0, and so does one that is true but never predicted.
1 for a perfect submission; a constant one scores most with the most common class.
"""

import numpy as np
from sklearn.metrics import f1_score

PREDICTS = "label"
TASKS = ["binary", "multiclass", "ordinal", "multilabel"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def macro_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(f1_score(truth, prediction, average="macro", zero_division=0))
