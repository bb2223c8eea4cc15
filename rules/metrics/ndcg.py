"""Normalised discounted cumulative gain: how high the relevant rows stand, the first counting most.

The relevance of each row (below 0 counts as 0) divided by the logarithm of its rank plus 1, summed
over the first `k` ranks, as a share of the best possible; ties share their mean. 1 for a perfect
submission and where nothing is relevant; a constant one scores what random orders do on average.
Source: Järvelin and Kekäläinen, 2002; ties after McSherry and Najork, 2008. It judges one query;
for several, write {kind: per_group, of: ndcg, by: ...}.
"""

import numpy as np

PREDICTS = "number"
TASKS = ["ranking"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "k": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "how many ranks count",
        "examples": [10, 5],
    },
}


def ndcg(truth: np.ndarray, prediction: np.ndarray, *, k: int = 10) -> float:
    relevance = np.maximum(truth, 0)
    best = discounted_gain(relevance, relevance, k)
    return discounted_gain(relevance, prediction, k) / best if best > 0 else 1.0


def discounted_gain(relevance: np.ndarray, prediction: np.ndarray, k: int) -> float:
    """The discounted gain of the first `k` rows in the predicted order."""
    ranks = np.arange(len(relevance))
    discounts = np.where(ranks < k, 1 / np.log2(ranks + 2), 0.0)
    _, inverse, counts = np.unique(-prediction, return_inverse=True, return_counts=True)
    tied = np.add.reduceat(discounts, np.cumsum(counts) - counts) / counts
    return float(relevance @ tied[inverse])
