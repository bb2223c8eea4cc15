"""F1 score of probabilities as they are: a row counts as found by the probability given to it.

Twice the probability given to positive rows, divided by all probability given plus the number of
positive rows. 1 for a perfect submission; a constant one scores most with 1, which gives 2p/(1+p)
where a share p is positive. 0 where no row is positive.
Source: the probabilistic F score of the RSNA breast cancer competition, with beta 1.
"""

import numpy as np

PREDICTS = "probability"
TASKS = ["binary"]
GREATER_IS_BETTER = True
CALIBRATED = True
BOUNDS = [0, 1]
PARAMETERS = {}


def probabilistic_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    total = prediction.sum() + truth.sum()
    return float(2 * (truth * prediction).sum() / total) if total > 0 else 0.0
