"""A part of each picture that can't be seen, behind a blot, a cloud or a finger.

Difficulty: rises with `share`; what lies there can only be guessed from around it.
"""

import numpy as np

DISTURBS = "factor"
TAKES = ["mask", "image"]
PARAMETERS = {
    "share": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 0.5,
        "description": "share of the picture's sides that the part takes",
        "examples": [0.15, 0.25],
    },
    "rate": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 1,
        "description": "share of pictures that have such a part",
        "examples": [0.3, 0.5],
    },
}


def hidden_part(
    rng: np.random.Generator, values: np.ndarray, *, share: float = 0.2, rate: float = 0.5
) -> np.ndarray:
    samples, height, width = values.shape
    high, wide = max(1, round(share * height)), max(1, round(share * width))
    top = np.floor(rng.random((samples, 1, 1)) * (height - high + 1))
    left = np.floor(rng.random((samples, 1, 1)) * (width - wide + 1))
    row, column = np.arange(height)[:, None], np.arange(width)
    part = (row >= top) & (row < top + high) & (column >= left) & (column < left + wide)
    part &= rng.random((samples, 1, 1)) < rate
    return np.where(part, np.zeros((), values.dtype), values)
