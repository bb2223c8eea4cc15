"""Regions that whoever drew a mask has overlooked.

Difficulty: rises with `rate`.
"""

import numpy as np

from sandmle.runtime.regions import find_regions

DISTURBS = "labels"
TASKS = ["segmentation"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 0.5,
        "description": "share of regions that are missing",
        "examples": [0.04, 0.08],
    },
}


def missed_regions(
    rng: np.random.Generator, labels: np.ndarray, *, rate: float = 0.1
) -> np.ndarray:
    regions = find_regions(labels)
    return regions.kept(rng.random(len(regions.area)) >= rate)
