"""The metric `of` with rows that weigh differently: `base`, plus what stands in `by` if above 0.

Rows of equal weight are scored together and these scores averaged, which is exact for every metric
that is a mean over rows (MAE, accuracy, log loss). Constant and perfect submissions score what that
metric gives them.
Source: WMAE, where weeks with a holiday weigh 5 times as much (a flag, with `base` 0.25).
"""

from collections.abc import Callable

import numpy as np

FOLLOWS = "of"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/metric",
        "description": "the metric, a mean over rows; it may not refer to a factor",
        "examples": ["mae", "accuracy", "log_loss"],
    },
    "by": {
        "$ref": "#/$defs/number_factor",
        "description": "a row's weight, where it is above 0",
        "examples": ["flag", "gamma", "uniform"],
    },
    "base": {
        "type": "number",
        "minimum": 0,
        "maximum": 100,
        "description": "what is added to every row's weight",
        "examples": [1.0, 0.25],
    },
}


def weighted(
    truth: np.ndarray,
    prediction: np.ndarray,
    *,
    of: Callable[[np.ndarray, np.ndarray], float],
    by: np.ndarray,
    base: float = 0.0,
) -> float:
    weights, inverse, counts = np.unique(
        base + np.maximum(by, 0), return_inverse=True, return_counts=True
    )
    total = weights * counts
    if not total.any():
        return float(of(truth, prediction))
    scores = [
        of(truth[inverse == index], prediction[inverse == index]) if share > 0 else 0.0
        for index, share in enumerate(total)
    ]
    return float(np.average(scores, weights=total))
