"""A response that rises with one number, but falls back in hidden stretches on the way.

Difficulty: rises with `dips` (share of the way from chance to the true feature that the best raw
model covers on 150 rows: 1 .92, 2 .65, 4 .48).
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "dips": {
        "type": "integer",
        "minimum": 1,
        "maximum": 6,
        "description": "stretches, spread evenly from about the second fifth of the samples on",
        "examples": [1, 2, 3],
    },
    "depth": {
        "type": "number",
        "minimum": 0,
        "maximum": 4,
        "description": "how far it falls back, in rises from the least to the greatest number",
    },
}


def dip(
    rng: np.random.Generator, *, of: np.ndarray, dips: int = 1, depth: float = 1.2
) -> np.ndarray:
    place = fractions(of)
    spacing = 0.75 / dips
    through = (place - 0.25 - rng.uniform(-0.1, 0.1)) / spacing
    is_inside = (through > 0) & (through < dips)
    falling = np.where(is_inside, 1 - np.abs(4 * (through % 1.0) - 2) ** 4, 0.0)
    return place - depth * np.maximum(0.0, falling)
