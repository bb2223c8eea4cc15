"""A mask of bent lines that cross: cracks, vessels, roads, condensation trails.

Difficulty: rises as `thickness` falls and with `bend`.
"""

import numpy as np
from scipy import ndimage

from sandmle.runtime.scaling import stretch

YIELDS = "mask"
PARAMETERS = {
    "size": {"$ref": "#/$defs/size"},
    "count": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 8},
        "minItems": 2,
        "maxItems": 2,
        "description": "fewest and most lines",
        "examples": [[1, 3]],
    },
    "number": {
        "$ref": "#/$defs/number_factor",
        "description": "sets how many each picture has, within `count`",
    },
    "thickness": {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
        "description": "in pixels",
        "examples": [3, 2],
    },
    "bend": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "how far lines stray from straight ones, as a share of the picture",
        "examples": [0.2, 0.4],
    },
}


def lines(
    rng: np.random.Generator,
    samples: int,
    *,
    size: tuple[int, int] = (32, 32),
    count: tuple[int, int] = (1, 3),
    number: np.ndarray | None = None,
    thickness: int = 2,
    bend: float = 0.3,
) -> np.ndarray:
    width, height = size
    wanted = rng.integers(count[0], count[1], samples, endpoint=True)
    if number is not None:
        wanted = np.rint(stretch(number, *count)).astype(int)
    shape = (samples, count[1])
    turn = rng.uniform(0.0, np.pi, shape)
    middle = rng.uniform(0.2, 0.8, (2, *shape)) * np.array(size)[:, None, None]
    way = np.stack([np.cos(turn), np.sin(turn)]) * max(size)
    pull = rng.uniform(-bend, bend, (2, *shape)) * max(size)
    # Points on a curve of second order, dense enough to leave no pixel out.
    at = np.linspace(-0.8, 0.8, 3 * max(size))
    points = middle[..., None] + way[..., None] * at + pull[..., None] * (1 - 4 * at**2)
    column, row = np.floor(points).astype(int)
    sample = np.broadcast_to(np.arange(samples)[:, None, None], column.shape)
    drawn = np.broadcast_to((np.arange(count[1]) < wanted[:, None])[..., None], column.shape)
    inside = drawn & (column >= 0) & (column < width) & (row >= 0) & (row < height)
    masks = np.zeros((samples, height, width), dtype=bool)
    masks[sample[inside], row[inside], column[inside]] = True
    pen = np.hypot(*(np.mgrid[:thickness, :thickness] - (thickness - 1) / 2)) <= thickness / 2
    return ndimage.binary_dilation(masks, pen[None])
