"""Average precision of the ranking of labels in each row, every true label counting alike (lwlrap).

For each true label: the share of true ones among the labels that score as high or higher. 1 for a
perfect submission; a constant one scores the mean share of true labels among all, weighed by their
number. 0 where no label is true.
Source: label-weighted label-ranking average precision of DCASE 2019, task 2.
"""

import numpy as np

PREDICTS = "probability"
TASKS = ["multilabel"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def label_ranking_average_precision(truth: np.ndarray, prediction: np.ndarray) -> float:
    true = truth == 1
    if not true.any():
        return 0.0
    # Entry [row, label, other]: whether the other label scores at least as high.
    above = prediction[:, np.newaxis, :] >= prediction[:, :, np.newaxis]
    precision = (above & true[:, np.newaxis, :]).sum(axis=2) / above.sum(axis=2)
    return float(precision[true].mean())
