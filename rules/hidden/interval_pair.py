"""Whether two stretches of a series lie on the same side of its usual level.

The stretches are drawn at random and do not overlap.

Difficulty: very high for raw models at any `width` (share of the way from chance to the true
feature that the best raw model covers on 150 rows: .5 .09, .2 .11): they see single readings, and
linear ones nothing at all.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/series_factor"},
    "width": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 0.5,
        "description": "length of a stretch, as a share of the series",
        "examples": [0.4, 0.3, 0.2],
    },
}


def interval_pair(rng: np.random.Generator, *, of: np.ndarray, width: float = 0.25) -> np.ndarray:
    length = of.shape[1]
    steps = max(1, int(width * length))
    first, second = np.sort(rng.integers(0, length - 2 * steps + 1, 2))
    deviation = of - np.median(of)
    left = deviation[:, first : first + steps].mean(axis=1)
    right = deviation[:, second + steps : second + 2 * steps].mean(axis=1)
    return np.asarray(left * right)
