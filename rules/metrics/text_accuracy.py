"""Share of rows whose predicted text is right, character for character.

1 for a perfect submission; a constant one scores the share of the most common text.
"""

import numpy as np

PREDICTS = "text"
TASKS = ["seq2seq", "extractive_qa"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def text_accuracy(truth: np.ndarray, prediction: np.ndarray) -> float:
    return float(np.mean(truth == prediction))
