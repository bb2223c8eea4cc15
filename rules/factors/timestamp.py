"""A moment for every sample, no two alike, in random row order: for dates and for splits by time.

Difficulty: none of its own.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "start": {"type": "number", "description": "the first moment, in days"},
    "step": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "days from one sample to the next",
    },
    "jitter": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.9,
        "description": "random delay of each moment, as a share of `step`",
    },
}


def timestamp(
    rng: np.random.Generator,
    samples: int,
    *,
    start: float = 0.0,
    step: float = 1.0,
    jitter: float = 0.0,
) -> np.ndarray:
    return start + step * (rng.permutation(samples) + jitter * rng.random(samples))
