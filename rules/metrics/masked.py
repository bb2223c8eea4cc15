"""The metric `of`, for rows or positions alone where `where` is above 0; others do not count.

Constant and perfect submissions score what that metric gives them. Where `where` is above 0
nowhere, all count.
Source: MAE of the pressure while a ventilator's valve is shut.
"""

from collections.abc import Callable

import numpy as np

FOLLOWS = "of"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/metric",
        "description": "the metric of the rows that count; it may not refer to a factor",
        "examples": ["mae", "rmse", "roc_auc", "accuracy"],
    },
    "where": {
        "anyOf": [{"$ref": "#/$defs/number_factor"}, {"$ref": "#/$defs/series_factor"}],
        "description": "the rows count where it is above 0; a series picks positions of sequences",
        "examples": ["flag", "pulses"],
    },
}


def masked(
    truth: np.ndarray,
    prediction: np.ndarray,
    *,
    of: Callable[[np.ndarray, np.ndarray], float],
    where: np.ndarray,
) -> float:
    rows = where > 0
    if not rows.any():
        return float(of(truth, prediction))
    return float(of(truth[rows], prediction[rows]))
