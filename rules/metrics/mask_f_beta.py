"""F-beta score of the pixels of each mask, recall `beta` times as heavy, then the mean over masks.

Two empty masks score 1. 1 for a perfect submission; an empty one scores the share of empty masks.
Source: the Vesuvius ink detection competition, with beta 0.5: false ink is worse than missed ink.
"""

import numpy as np

from sandmle.runtime.overlap import pixel_counts

PREDICTS = "mask"
TASKS = ["segmentation"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "beta": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 10,
        "description": "weight of recall against precision; 1 is Dice",
        "examples": [0.5],
    },
}


def mask_f_beta(truth: np.ndarray, prediction: np.ndarray, *, beta: float = 0.5) -> float:
    common, true, predicted = pixel_counts(truth, prediction)
    total = beta**2 * true + predicted
    score = (1 + beta**2) * common / np.where(total > 0, total, 1)
    return float(np.where(total > 0, score, 1.0).mean())
