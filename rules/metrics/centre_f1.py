"""F1 score of objects over all pictures: one is found by a centre inside its box, of its class.

Every predicted centre counts for one object at most. 1 for a perfect submission, 0 for an empty
one.
Source: the score of the Kuzushiji recognition competition.
"""

import numpy as np

PREDICTS = "boxes"
TASKS = ["detection"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def centre_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    pairs = list(zip(truth, prediction, strict=True))
    total = sum(len(true) + len(guess) for true, guess in pairs)
    return 2 * sum(objects_hit(*pair) for pair in pairs) / total if total else 1.0


def objects_hit(true: np.ndarray, guess: np.ndarray) -> int:
    """How many true boxes of a picture have a centre of their own inside."""
    centre = guess[:, 1:3] + guess[:, 3:5] / 2
    free = np.ones(len(guess), dtype=bool)
    for box in true:
        inside = ((centre >= box[1:3]) & (centre <= box[1:3] + box[3:5])).all(axis=1)
        found = np.flatnonzero(free & inside & (guess[:, 0] == box[0]))
        free[found[:1]] = False
    return int((~free).sum())
