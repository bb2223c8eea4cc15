"""Share of tokens that are right in their places, over all rows.

A place that only one of the two sequences has counts as wrong. 1 for a perfect submission; a
constant one scores how often its tokens are right where they stand.
"""

from operator import eq

import numpy as np

PREDICTS = "tokens"
TASKS = ["sequence_labelling", "ordering"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def token_accuracy(truth: np.ndarray, prediction: np.ndarray) -> float:
    pairs = list(zip(truth, prediction, strict=True))
    places = sum(max(len(true), len(guess)) for true, guess in pairs)
    right = sum(sum(map(eq, true, guess)) for true, guess in pairs)
    return right / places if places else 1.0
