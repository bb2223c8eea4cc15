"""The largest regions of a mask alone; the other ones look the same, but don't count.

Difficulty: falls as `keep` rises, as then little is left out. High for models of single pixels and
of small neighbourhoods in any case.
"""

import numpy as np

from sandmle.runtime.regions import find_regions

YIELDS = "mask"
PARAMETERS = {
    "of": {"$ref": "#/$defs/mask_factor", "examples": ["patches", "ellipses"]},
    "keep": {
        "type": "integer",
        "minimum": 1,
        "maximum": 6,
        "description": "how many regions of each picture count",
        "examples": [2, 1],
    },
}


def largest_regions(rng: np.random.Generator, *, of: np.ndarray, keep: int = 1) -> np.ndarray:
    regions = find_regions(of)
    order = np.lexsort((-regions.area, regions.sample))
    first = np.searchsorted(regions.sample[order], regions.sample[order])
    chosen = np.zeros(len(order), dtype=bool)
    chosen[order] = np.arange(len(order)) - first < keep
    return regions.kept(chosen)
