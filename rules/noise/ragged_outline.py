"""Masks drawn by hand: their outlines stray in and out.

Difficulty: rises with `width`; what is learnt from many pictures evens it out.
"""

import numpy as np
from scipy import ndimage

from sandmle.runtime.fields import smooth_fields

DISTURBS = "labels"
TASKS = ["segmentation"]
PARAMETERS = {
    "width": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 4,
        "description": "standard deviation of an outline's place, in pixels",
        "examples": [0.4, 0.6],
    },
}


def ragged_outline(
    rng: np.random.Generator, labels: np.ndarray, *, width: float = 0.6
) -> np.ndarray:
    apart = (1e6, 1.0, 1.0)  # samples are far from each other
    inside = ndimage.distance_transform_edt(labels, sampling=apart)
    outside = ndimage.distance_transform_edt(~labels, sampling=apart)
    return inside - outside + width * smooth_fields(rng, labels.shape, 1.5) > 0
