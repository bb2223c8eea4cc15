"""Where a picture is higher than a level: land above the water, the hot part of a plate.

Difficulty: that of seeing the picture (`degraded`); the level itself is learnt from few pixels.
"""

import numpy as np

YIELDS = "mask"
PARAMETERS = {
    "of": {"$ref": "#/$defs/image_factor", "examples": ["terrain"]},
    "level": {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
        "description": "from 0, the lowest, to 1, the highest",
        "examples": [0.6, 0.7],
    },
}


def above_level(rng: np.random.Generator, *, of: np.ndarray, level: float = 0.6) -> np.ndarray:
    return of > level
