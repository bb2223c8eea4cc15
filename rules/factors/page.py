"""A picture of a page: lines of small letters, dark on white.

Difficulty: none of its own.
"""

import numpy as np

YIELDS = "image"
PARAMETERS = {
    "size": {"$ref": "#/$defs/size"},
    "filled": {
        "type": "number",
        "minimum": 0.2,
        "maximum": 1,
        "description": "share of the places on the page that hold a letter",
        "examples": [0.75],
    },
    "ink": {
        "type": "array",
        "items": {"type": "number", "minimum": 0, "maximum": 0.8},
        "minItems": 2,
        "maxItems": 2,
        "description": "darkest and lightest ink of a page, where paper is 1",
        "examples": [[0.1, 0.35]],
    },
}

#: Letters of three by five pixels: five digits each, a digit a row, whose bits are the pixels.
LETTERS_3X5 = (
    "257556565634443655567464774644345535575572227111525565544447577555777525552656442556365655"
    "342167222255557555525577555255552227124726227612477161755711"
)


def page(
    rng: np.random.Generator,
    samples: int,
    *,
    size: tuple[int, int] = (28, 20),
    filled: float = 0.75,
    ink: tuple[float, float] = (0.0, 0.3),
) -> np.ndarray:
    bits = np.array([int(row) for row in LETTERS_3X5]).reshape(-1, 5)
    cells = np.zeros((len(bits) + 1, 7, 4), dtype=bool)
    cells[:-1, :5, :3] = bits[..., None] & np.array([4, 2, 1])
    rows, columns = size[1] // 7 + 2, size[0] // 4 + 2
    letters = rng.integers(0, len(bits), (samples, rows, columns))
    letters[rng.random(letters.shape) > filled] = len(bits)
    sheet = cells[letters].transpose(0, 1, 3, 2, 4).reshape(samples, rows * 7, columns * 4)
    top, left = rng.integers(0, 7, samples), rng.integers(0, 4, samples)
    row = (top[:, None] + np.arange(size[1]))[:, :, None]
    column = (left[:, None] + np.arange(size[0]))[:, None, :]
    shown = sheet[np.arange(samples)[:, None, None], row, column]
    tone = np.round(rng.uniform(*ink, samples), 3)
    return np.where(shown, tone[:, None, None], 1.0)
