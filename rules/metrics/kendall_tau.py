"""Kendall's tau of predicted orders, over all rows at once: 1 minus twice the share of swaps.

The share is that of the pairs of items that stand in the wrong order among all pairs, both summed
over all rows before dividing, so that long rows count more. 1 for a perfect submission, 0 for a
random order, -1 for the reverse.
Source: the score of the AI4Code competition.
"""

import numpy as np

PREDICTS = "tokens"
TASKS = ["ordering"]
GREATER_IS_BETTER = True
BOUNDS = [-1, 1]
PARAMETERS = {}


def kendall_tau(truth: np.ndarray, prediction: np.ndarray) -> float:
    swaps, pairs = 0, 0
    for true, guess in zip(truth, prediction, strict=True):
        place = {item: index for index, item in enumerate(true)}
        places = np.array([place[item] for item in guess])
        swaps += int(np.triu(places[:, np.newaxis] > places).sum())
        pairs += len(true) * (len(true) - 1) // 2
    return 1 - 2 * swaps / pairs if pairs else 1.0
