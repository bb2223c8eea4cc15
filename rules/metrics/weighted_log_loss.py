"""Binary cross-entropy over all targets of a row, weighed by target and by what is true.

In every row the losses of its targets are averaged with their `weights`, in their order, the last
one for all that follow; a positive one weighs `positive` times as much; then the mean over rows.
Probabilities count as 1e-15 at least. 0 for a perfect submission; the constant one half scores
log 2.
Source: the loss of the RSNA cervical spine competition (weights 7 for the first of 8, positive 2).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.agreement import spread_weights

PREDICTS = "probability"
TASKS = ["multilabel"]
GREATER_IS_BETTER = False
BOUNDS = [0, 34.54]
PARAMETERS = {
    "weights": {
        "type": "array",
        "items": {"type": "number", "exclusiveMinimum": 0},
        "minItems": 1,
        "description": "a weight a target, in their order; the last stands for all that follow",
        "examples": [[7.0, 1.0]],
    },
    "positive": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 100,
        "description": "how much more a positive label weighs than a negative one",
        "examples": [2.0],
    },
}


def weighted_log_loss(
    truth: np.ndarray,
    prediction: np.ndarray,
    *,
    weights: Sequence[float] = (1.0,),
    positive: float = 1.0,
) -> float:
    truth, prediction = (side.reshape(len(side), -1) for side in (truth, prediction))
    given = np.where(truth == 1, prediction, 1 - prediction)
    losses = -np.log(np.clip(given, 1e-15, 1 - 1e-15))
    weight = np.array(spread_weights(weights, truth.shape[1])) * np.where(truth == 1, positive, 1.0)
    return float(np.mean((losses * weight).sum(axis=1) / weight.sum(axis=1)))
