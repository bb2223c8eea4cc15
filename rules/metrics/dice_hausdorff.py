"""Dice coefficient and Hausdorff distance of masks in one: 0.4 Dice + 0.6 (1 - distance).

The distance is the farthest that a pixel of one mask lies from the other mask, with the picture's
sides as units, divided by its diagonal; 1 where one mask alone is empty. Pictures where both are
empty do not count. 1 for a perfect submission, 0 for an empty one.
Source: the score of the UW-Madison GI tract competition, there in three dimensions.
"""

import numpy as np
from scipy.ndimage import distance_transform_edt

from sandmle.runtime.overlap import pixel_counts

PREDICTS = "mask"
TASKS = ["segmentation"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def dice_hausdorff(truth: np.ndarray, prediction: np.ndarray) -> float:
    common, true, predicted = pixel_counts(truth, prediction)
    counted = np.flatnonzero(true + predicted)
    if not len(counted):
        return 1.0
    overlap = 2 * common[counted] / (true + predicted)[counted]
    distance = [farthest_pixel(truth[index], prediction[index]) for index in counted]
    return float(0.4 * overlap.mean() + 0.6 * (1 - np.mean(distance)))


def farthest_pixel(left: np.ndarray, right: np.ndarray) -> float:
    """The Hausdorff distance of two masks (height, width) as a share of the diagonal."""
    if not (left.any() and right.any()):
        return 1.0
    sides = [1 / side for side in left.shape]
    distance = 0.0
    for one, other in ((left, right), (right, left)):
        # What lies in both is no distance away.
        outside = one & ~other
        if outside.any():
            distance = max(distance, distance_transform_edt(~other, sampling=sides)[outside].max())
    return float(distance / np.sqrt(2))
