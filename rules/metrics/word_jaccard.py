"""Jaccard index of the sets of words in true and predicted text, averaged over rows.

The share of words in both among the words in either; upper and lower case are the same. 1 for a
perfect submission and where both texts are empty; an empty one scores 0 elsewhere, and all of a
text scores by how short the answer in it is.
"""

import numpy as np

PREDICTS = "text"
TASKS = ["extractive_qa", "seq2seq"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def word_jaccard(truth: np.ndarray, prediction: np.ndarray) -> float:
    pairs = [
        (set(true.lower().split()), set(guess.lower().split()))
        for true, guess in zip(truth, prediction, strict=True)
    ]
    return float(
        np.mean(
            [len(true & guess) / len(true | guess) if true | guess else 1 for true, guess in pairs]
        )
    )
