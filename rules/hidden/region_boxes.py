"""A box around every region of a mask, its class by the region's area.

Difficulty: rises with the number of classes, whose limits must be found.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.regions import find_regions

YIELDS = "boxes"
DRAFTED = False
CLASSES = "areas"
PARAMETERS = {
    "of": {"$ref": "#/$defs/mask_factor", "examples": ["ellipses"]},
    "areas": {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 2000},
        "minItems": 1,
        "maxItems": 4,
        "uniqueItems": True,
        "description": "the least area of each class in pixels, ascending; less does not count",
        "examples": [[12], [12, 60]],
    },
}


def region_boxes(
    rng: np.random.Generator, *, of: np.ndarray, areas: Sequence[int] = (12,)
) -> np.ndarray:
    regions = find_regions(of)
    classes = np.searchsorted(areas, regions.area, side="right") - 1.0
    rows = np.column_stack([classes, regions.box])
    found = np.empty(len(of), dtype=object)
    for sample in range(len(of)):
        found[sample] = rows[(regions.sample == sample) & (classes >= 0)]
    return found
