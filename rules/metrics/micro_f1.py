"""F1 score of all labels of all rows pooled: each single label counts alike.

1 for a perfect submission; a constant one scores most by predicting the common labels. 1 where no
label is true and none is predicted.
"""

import numpy as np

PREDICTS = "label"
TASKS = ["multilabel"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def micro_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    total = truth.sum() + prediction.sum()
    return float(2 * (truth * prediction).sum() / total) if total else 1.0
