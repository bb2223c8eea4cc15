"""The metric `of` for every column on its own, then the mean over the columns.

The columns count by `weights`, in their order; the last one stands for all that follow. Constant
and perfect submissions score what that metric gives them. A column that holds one class alone,
where not even the truth would score as it does elsewhere, is left out. The columns of sequences
are their positions.
Source: mean column-wise ROC AUC, log loss, RMSE (MCRMSE), RMSLE and Spearman are all of this form.
"""

from collections.abc import Callable, Sequence

import numpy as np

from sandmle.runtime.agreement import mean_over_parts, spread_weights

TASKS = [
    "multilabel",
    "multiclass",
    "preference",
    "soft_labels",
    "multi_target",
    "sequence_regression",
]
FOLLOWS = "of"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/metric",
        "description": "the metric of one column; it may not refer to a factor",
        "examples": ["roc_auc", "rmse", "average_precision", "mae", "log_loss", "spearman"],
    },
    "weights": {
        "type": "array",
        "items": {"type": "number", "exclusiveMinimum": 0},
        "minItems": 1,
        "description": "a weight a column, in their order; the last stands for all that follow",
    },
}


def per_column(
    truth: np.ndarray,
    prediction: np.ndarray,
    *,
    of: Callable[[np.ndarray, np.ndarray], float],
    weights: Sequence[float] = (1.0,),
) -> float:
    rows = len(truth)
    columns = list(zip(truth.reshape(rows, -1).T, prediction.reshape(rows, -1).T, strict=True))
    return mean_over_parts(of, columns, spread_weights(weights, len(columns)))
