"""Dice coefficient of masks: twice the common pixels, divided by the pixels of both masks.

The mean over the masks, where two empty ones score 1; or with `pooled` once for the pixels of all.
1 for a perfect submission; an empty one scores the share of empty masks, or 0 pooled.
"""

import numpy as np

from sandmle.runtime.overlap import pixel_counts

PREDICTS = "mask"
TASKS = ["segmentation"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "pooled": {
        "type": "boolean",
        "description": "count the pixels of all masks together, not each mask on its own",
        "examples": [False, True],
    },
}


def dice(truth: np.ndarray, prediction: np.ndarray, *, pooled: bool = False) -> float:
    common, true, predicted = pixel_counts(truth, prediction)
    if pooled:
        total = true.sum() + predicted.sum()
        return float(2 * common.sum() / total) if total else 1.0
    total = true + predicted
    return float(np.where(total > 0, 2 * common / np.maximum(total, 1), 1.0).mean())
