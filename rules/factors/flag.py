"""A yes or no, as 1 and 0.

Difficulty: none of its own; a rare flag says little about most samples.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "probability": {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
        "description": "share of samples that have 1",
    },
}


def flag(rng: np.random.Generator, samples: int, *, probability: float = 0.5) -> np.ndarray:
    return (rng.random(samples) < probability).astype(float)
