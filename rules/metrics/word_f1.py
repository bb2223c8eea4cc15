"""F1 score of the words that true and predicted text share, averaged over rows.

Words count as often as they stand there; upper and lower case are the same. 1 for a perfect
submission and where both texts are empty; an empty one scores 0 elsewhere.
Source: the F1 of SQuAD (Rajpurkar and others, 2016), articles and punctuation kept.
"""

from collections import Counter

import numpy as np

PREDICTS = "text"
TASKS = ["extractive_qa", "seq2seq"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def word_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean([shared_words(*pair) for pair in zip(truth, prediction, strict=True)]))


def shared_words(true: str, guess: str) -> float:
    """The F1 score of one pair of texts."""
    words, guessed = Counter(true.lower().split()), Counter(guess.lower().split())
    total = words.total() + guessed.total()
    return 2 * (words & guessed).total() / total if total else 1.0
