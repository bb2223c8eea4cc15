"""F1 score of whole answers over all rows: an answer is found if it is right word for word.

An empty text says that there is no answer. Precision is the share of right ones among the answers
given, recall among those that exist. 1 for a perfect submission and where there is no answer and
none is given; an empty one scores 0 elsewhere.
Source: the micro F1 of the TensorFlow 2.0 question answering competition.
"""

import numpy as np

PREDICTS = "text"
TASKS = ["extractive_qa"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def answer_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    pairs = [
        (" ".join(true.split()), " ".join(guess.split()))
        for true, guess in zip(truth, prediction, strict=True)
    ]
    total = sum(bool(true) + bool(guess) for true, guess in pairs)
    right = sum(true == guess != "" for true, guess in pairs)
    return 2 * right / total if total else 1.0
