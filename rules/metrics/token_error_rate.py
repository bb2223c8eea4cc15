"""Levenshtein distance between sequences of tokens, summed and divided by the true tokens.

The fewest tokens to insert, delete or replace. 0 for a perfect submission; an empty one scores 1,
and one with too many tokens may score more.
Source: the score of the ChaLearn multi-modal gesture competition; word error rate in speech.
"""

import numpy as np

from sandmle.runtime.edit_distance import edit_distance

PREDICTS = "tokens"
TASKS = ["sequence_labelling", "ordering"]
GREATER_IS_BETTER = False
BOUNDS = [0, None]
PARAMETERS = {}


def token_error_rate(truth: np.ndarray, prediction: np.ndarray) -> float:
    pairs = zip(truth, prediction, strict=True)
    edits = sum(edit_distance(true, guess) for true, guess in pairs)
    return edits / max(sum(len(true) for true in truth), 1)
