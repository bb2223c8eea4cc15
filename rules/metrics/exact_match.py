"""Share of rows whose labels are all right at once.

1 for a perfect submission; the best constant one scores the share of the most common labels.
"""

import numpy as np

PREDICTS = "label"
TASKS = ["multilabel"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def exact_match(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean((truth == prediction).all(axis=1)))
