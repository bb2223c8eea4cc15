"""Clean pictures that are not quite clean themselves.

Difficulty: rises with `scale`; what is learnt from many pixels evens it out.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["image_to_image"]
PARAMETERS = {
    "scale": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 0.5,
        "description": "standard deviation of the grain, where full light is 1",
        "examples": [0.03, 0.06],
    },
}


def grainy_labels(
    rng: np.random.Generator, labels: np.ndarray, *, scale: float = 0.05
) -> np.ndarray:
    return np.round(np.clip(labels + rng.normal(0.0, scale, labels.shape), 0.0, 1.0), 4)
