"""The regions of a mask that are large, long, or reach the edge of the picture; or all but these.

Difficulty: highest where `above` cuts through the middle of what occurs: then about as many
regions count as don't.
"""

import numpy as np

from sandmle.runtime.regions import find_regions

YIELDS = "mask"
PARAMETERS = {
    "of": {"$ref": "#/$defs/mask_factor", "examples": ["ellipses"]},
    "by": {
        "enum": ["area", "elongation", "edge"],
        "description": "area in pixels, long over short axis, or 1 where a region is at the edge",
        "examples": ["area"],
    },
    "above": {
        "type": "number",
        "minimum": 0,
        "maximum": 4000,
        "description": "what it must exceed",
        "examples": [30, 45],
    },
    "rest": {"type": "boolean", "description": "true for the regions that don't exceed it"},
}


def regions_where(
    rng: np.random.Generator, *, of: np.ndarray, by: str, above: float, rest: bool = False
) -> np.ndarray:
    regions = find_regions(of)
    left, top, width, height = regions.box.T
    at_edge = (left == 0) | (top == 0)
    at_edge |= (left + width == of.shape[2]) | (top + height == of.shape[1])
    measured = {"area": regions.area, "elongation": regions.elongation, "edge": at_edge}
    return regions.kept((measured[by] > above) != rest)
