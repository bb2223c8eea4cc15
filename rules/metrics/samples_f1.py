"""F1 score of each row's set of labels, then the mean over the rows.

1 for a perfect submission; a constant one scores most by predicting the common labels. A row
without labels scores 1 where none is predicted, else 0.
"""

import numpy as np

PREDICTS = "label"
TASKS = ["multilabel"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def samples_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    total = truth.sum(axis=1) + prediction.sum(axis=1)
    common = (truth * prediction).sum(axis=1)
    return float(np.where(total > 0, 2 * common / np.maximum(total, 1), 1.0).mean())
