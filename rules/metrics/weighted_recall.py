"""Share of rows found of each true class, then the weighted mean over the classes.

The classes count by `weights`, in their order; the last one stands for all that follow. 1 for a
perfect submission; a constant one scores the share that its class has of all weights. A class
without true rows is left out.
Source: recall_score of scikit-learn, by class. For columns that weigh differently, as in the
Bengali grapheme competition, write {kind: per_column, of: balanced_accuracy, weights: [2, 1]}.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.agreement import spread_weights

PREDICTS = "label"
TASKS = ["binary", "multiclass", "ordinal"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "weights": {
        "type": "array",
        "items": {"type": "number", "exclusiveMinimum": 0},
        "minItems": 1,
        "description": "a weight a class, in their order; the last stands for all that follow",
        "examples": [[1.0], [2.0, 1.0], [1.0, 2.0]],
    },
}


def weighted_recall(
    truth: np.ndarray, prediction: np.ndarray, *, weights: Sequence[float] = (1.0,)
) -> float:
    classes, counts = np.unique(truth, return_counts=True)
    found = [np.sum(truth[prediction == index] == index) for index in classes]
    given = np.array(spread_weights(weights, int(classes[-1]) + 1))[classes]
    return float(np.average(found / counts, weights=given))
