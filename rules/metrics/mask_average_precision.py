"""Share of thresholds that each mask's overlap passes, from 0.5 to 0.95, then the mean over masks.

The overlap is the intersection over union; with one object a picture that share is its average
precision. Two empty masks score 1, one empty mask 0. 1 for a perfect submission; an empty one
scores the share of empty masks.
Source: the score of the TGS salt identification competition.
"""

import numpy as np

from sandmle.runtime.overlap import pixel_counts

PREDICTS = "mask"
TASKS = ["segmentation"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def mask_average_precision(truth: np.ndarray, prediction: np.ndarray) -> float:
    common, true, predicted = pixel_counts(truth, prediction)
    union = true + predicted - common
    # In whole numbers, as 0.55 and its like have no exact value: 20 * overlap > 10, 11, ... 19.
    passed = (20 * common)[:, np.newaxis] > union[:, np.newaxis] * np.arange(10, 20)
    return float(np.where(union > 0, passed.mean(axis=1), 1.0).mean())
