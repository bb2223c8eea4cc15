"""Mean log likelihood of a Laplace distribution: rewards being right, and knowing how right.

The predicted standard deviation counts as `floor` at least, and an error as `cap` at most. A
perfect submission scores -log(sqrt(2) * floor); the best constant one is the median, with the mean
absolute error times sqrt(2) as its standard deviation.
Source: the score of the OSIC pulmonary fibrosis competition (floor 70 ml, cap 1000 ml).
"""

import numpy as np

PREDICTS = "estimate"
TASKS = ["probabilistic_regression"]
GREATER_IS_BETTER = True
PARAMETERS = {
    "floor": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "least standard deviation that counts, in the target's unit",
        "examples": [0.4, 0.2],
    },
    "cap": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "largest error that counts, in the target's unit",
    },
}


def laplace_log_likelihood(
    truth: np.ndarray, prediction: np.ndarray, *, floor: float = 0.1, cap: float = 1000.0
) -> float:
    error = np.minimum(np.abs(truth[:, 0] - prediction[:, 0]), cap)
    scale = np.sqrt(2) * np.maximum(prediction[:, 1], floor)
    return float(np.mean(-2 * error / scale - np.log(scale)))
