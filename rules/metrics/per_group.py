"""The metric `of` for every group of rows on its own, then the mean over the groups.

Groups are rows that have the same value in `by`; all groups count alike, whatever their size.
Constant and perfect submissions score what that metric gives them. A group that holds one class
alone, where not even the truth would score as it does elsewhere, is left out.
Source: log MAE by coupling type, NDCG by query, errors by trip are all of this form.
"""

from collections.abc import Callable

import numpy as np

from sandmle.runtime.agreement import mean_over_parts

FOLLOWS = "of"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/metric",
        "description": "the metric of one group; it may not refer to a factor",
        "examples": ["ndcg", "mae", "rmse", "log_mae", "roc_auc", "accuracy"],
    },
    "by": {
        "$ref": "#/$defs/category_factor",
        "description": "whose levels are the groups",
        "examples": ["group", "category"],
    },
}


def per_group(
    truth: np.ndarray,
    prediction: np.ndarray,
    *,
    of: Callable[[np.ndarray, np.ndarray], float],
    by: np.ndarray,
) -> float:
    groups = [by == level for level in np.unique(by)]
    return mean_over_parts(
        of, [(truth[rows], prediction[rows]) for rows in groups], [1.0] * len(groups)
    )
