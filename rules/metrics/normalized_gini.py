"""Normalised Gini coefficient of numbers: how much of the total the rows ranked first hold.

The Gini coefficient of the true values in the predicted order, divided by the one in their own
order. Only the order of the predictions counts; ties share their mean. 1 for a perfect submission,
0 for a constant one, and where the truth is the same for all rows.
Source: as the ratio of covariances with the ranks, after Lerman and Yitzhaki, 1984.
"""

import numpy as np

from sandmle.runtime.scaling import fractions

PREDICTS = "number"
TASKS = ["regression", "forecasting", "ranking"]
GREATER_IS_BETTER = True
BOUNDS = [-1, 1]
PARAMETERS = {}


def normalized_gini(truth: np.ndarray, prediction: np.ndarray) -> float:
    largest = np.abs(truth - truth.mean()).max()
    if truth.min() == truth.max() or largest == 0:
        return 0.0
    # Scaled to 1 first: products with very small numbers would vanish.
    centred = (truth - truth.mean()) / largest
    return float(centred @ fractions(prediction) / (centred @ fractions(truth)))
