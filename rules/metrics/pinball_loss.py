"""Pinball loss of a predicted quantile: misses below the truth weigh `quantile`, above it the rest.

Lowest for the quantile of what is still unknown, not for its mean; for 0.5 it is half the MAE. 0
for a perfect submission; the best constant one is that quantile of the truth.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["regression", "forecasting"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
PARAMETERS = {
    "quantile": {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
        "description": "which quantile is to be predicted",
        "examples": [0.25, 0.75, 0.9],
    },
}


def pinball_loss(truth: np.ndarray, prediction: np.ndarray, *, quantile: float) -> float:
    short = truth - prediction
    return float(np.mean(np.maximum(quantile * short, (quantile - 1) * short)))
