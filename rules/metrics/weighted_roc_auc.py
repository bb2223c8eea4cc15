"""Area under the ROC curve, its part at low true positive rates weighing more.

The area is cut at the true positive rate `below`; what lies under it counts `times` as much, and
the sum is divided by the most that can be reached. 1 for a perfect submission; a constant one
scores a little above 0.5.
Source: the weighted AUC of ALASKA2 (2 : 1, cut at 0.4).
"""

import numpy as np
from sklearn.metrics import roc_curve

PREDICTS = "probability"
TASKS = ["binary"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "below": {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
        "description": "true positive rate up to which the area weighs more",
        "examples": [0.4],
    },
    "times": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 100,
        "description": "how much more it weighs",
        "examples": [2.0],
    },
}


def weighted_roc_auc(
    truth: np.ndarray, prediction: np.ndarray, *, below: float = 0.4, times: float = 2.0
) -> float:
    # One class has no curve: as for a constant.
    false, true = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    if truth.min() < truth.max():
        false, true, _ = roc_curve(truth, prediction)
    area = sum(
        weight * area_right_of_curve(false, true, low, high)
        for weight, low, high in ((times, 0.0, below), (1.0, below, 1.0))
    )
    return float(area / (times * below + 1 - below))


def area_right_of_curve(false: np.ndarray, true: np.ndarray, low: float, high: float) -> float:
    """The area between the curve and a false positive rate of 1, at true ones from low to high."""
    begin, end = np.clip(true[:-1], low, high), np.clip(true[1:], low, high)
    rise = np.where(true[1:] > true[:-1], true[1:] - true[:-1], 1.0)
    share = ((begin + end) / 2 - true[:-1]) / rise
    middle = false[:-1] + share * (false[1:] - false[:-1])
    return float(((end - begin) * (1 - middle)).sum())
