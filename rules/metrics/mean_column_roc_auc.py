"""Area under the ROC curve of every column on its own, then their mean.

Only the order of the predictions within a column counts; ties count half. Columns whose truth is
all one class are left out.
"""

import numpy as np

from sandmle.runtime.agreement import rank_auc

PREDICTS = "probability"
TASKS = ["multilabel", "multiclass"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def mean_column_roc_auc(truth: np.ndarray, prediction: np.ndarray) -> float:
    areas = [
        rank_auc(truth[:, column], prediction[:, column])
        for column in np.flatnonzero(truth.min(axis=0) < truth.max(axis=0))
    ]
    return float(np.mean(areas)) if areas else 0.5
