"""Mean average precision of the first `k` guesses in each row's ranking.

In a row: the precision at each right guess, summed, and divided by the number of true labels or by
`k`, whichever is less; with one true label it is 1 / rank. 1 for a perfect submission; a constant
one scores by how common its guesses are. A row without true labels scores 1 for no guess, else 0.
"""

import numpy as np

PREDICTS = "ranking"
TASKS = ["multiclass", "multilabel"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "k": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "description": "how many guesses count",
        "examples": [5, 3],
    },
}


def map_at_k(truth: np.ndarray, prediction: np.ndarray, *, k: int = 5) -> float:
    # Rows hold indices of labels, and -1 where there are no more.
    guesses = prediction[:, :k]
    right = (guesses[:, :, np.newaxis] == truth[:, np.newaxis, :]).any(axis=2) & (guesses >= 0)
    precision = right.cumsum(axis=1) / np.arange(1, guesses.shape[1] + 1)
    possible = np.minimum((truth >= 0).sum(axis=1), k)
    score = (precision * right).sum(axis=1) / np.maximum(possible, 1)
    return float(np.where(possible > 0, score, (guesses < 0).all(axis=1)).mean())
