"""F1 score of objects over all pictures: one is found by a centre inside its box, of its class.

Every predicted centre counts for one object at most. 1 for a perfect submission, 0 for an empty
one.
Source: the score of the Kuzushiji recognition competition.
"""

import numpy as np

from sandmle.runtime.overlap import listed_boxes, paired_boxes

PREDICTS = "boxes"
TASKS = ["detection"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def centre_f1(truth: np.ndarray, prediction: np.ndarray) -> float:
    true, guesses = listed_boxes(truth), listed_boxes(prediction)
    if not len(true) + len(guesses):
        return 1.0
    boxes, owners = paired_boxes(true, guesses)
    corner, size = true[boxes, 2:4], true[boxes, 4:6]
    centre = guesses[owners, 2:4] + guesses[owners, 4:6] / 2
    inside = ((centre >= corner) & (centre <= corner + size)).all(axis=1)
    # In the order of the true boxes, each takes the first centre that is still free.
    pairs = sorted(zip(boxes[inside].tolist(), owners[inside].tolist(), strict=True))
    found: set[int] = set()
    used: set[int] = set()
    for box, guess in pairs:
        if box not in found and guess not in used:
            found.add(box)
            used.add(guess)
    return 2 * len(found) / (len(true) + len(guesses))
