"""Levenshtein distance between true and predicted text, averaged over rows.

The fewest characters to insert, delete or replace. 0 for a perfect submission; an empty one scores
the mean length of the texts.
"""

import numpy as np

from sandmle.runtime.edit_distance import edit_distance

PREDICTS = "text"
TASKS = ["seq2seq", "extractive_qa"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
PARAMETERS = {}


def levenshtein(truth: np.ndarray, prediction: np.ndarray) -> float:
    pairs = zip(truth, prediction, strict=True)
    return float(np.mean([edit_distance(true, guess) for true, guess in pairs]))
