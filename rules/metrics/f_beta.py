"""F-beta score of the positive class: precision and recall in one, recall `beta` times as heavy.

1 for a perfect submission; a constant one scores most by calling every row positive. 0 where no
positive row is found.
"""

import numpy as np
from sklearn.metrics import fbeta_score

PREDICTS = "label"
TASKS = ["binary"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "beta": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 10,
        "description": "weight of recall against precision; 1 is F1",
        "examples": [1.0, 2.0, 0.5],
    },
}


def f_beta(truth: np.ndarray, prediction: np.ndarray, *, beta: float = 1.0) -> float:
    return float(fbeta_score(truth, prediction, beta=beta, zero_division=0))
