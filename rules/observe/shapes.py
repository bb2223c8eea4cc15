"""A picture of one solid shape, which shows a category: disc, square, diamond, cross, ring, bar.

The levels take the shapes in this order, sorted by name. Size and light are drawn at random for
each picture where no factor sets them; the shape lies anywhere.

Difficulty: rises with the number of levels and with `noise`.
"""

import numpy as np

from sandmle.runtime.images import png_files
from sandmle.runtime.scaling import stretch

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "shape": {
        "$ref": "#/$defs/category_factor",
        "description": "shown as the kind of shape; of more than six levels, some look alike",
    },
    "radius": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the size",
        "examples": ["normal", "uniform"],
    },
    "brightness": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the light",
        "examples": ["normal", "uniform"],
    },
    "size": {"$ref": "#/$defs/size"},
    "noise": {"$ref": "#/$defs/grain", "examples": [0.03, 0.06]},
}


def shapes(
    rng: np.random.Generator,
    *,
    shape: np.ndarray,
    radius: np.ndarray | None = None,
    brightness: np.ndarray | None = None,
    size: tuple[int, int] = (32, 32),
    noise: float = 0.1,
) -> list[bytes]:
    samples = len(shape)
    reach = rng.random(samples) if radius is None else stretch(radius, 0.0, 1.0)
    light = rng.random(samples) if brightness is None else stretch(brightness, 0.0, 1.0)
    _, kind = np.unique(shape, return_inverse=True)
    half = (min(size) * (0.12 + 0.14 * reach))[:, None, None]
    centre = np.array(size)[:, None] / 2 + rng.uniform(-0.2, 0.2, (2, samples)) * min(size)
    down, across = np.mgrid[: size[1], : size[0]] + 0.5
    x, y = np.abs(across - centre[0, :, None, None]), np.abs(down - centre[1, :, None, None])
    centre_distance = np.hypot(x, y)
    outlines = [
        centre_distance - half,
        np.maximum(x, y) - 0.85 * half,
        0.7 * (x + y - 1.2 * half),
        np.minimum(np.maximum(x - half, y - 0.3 * half), np.maximum(x - 0.3 * half, y - half)),
        np.abs(centre_distance - 0.8 * half) - 0.25 * half,
        np.maximum(x - half, y - 0.35 * half),
    ]
    distance = np.choose((kind % len(outlines))[:, None, None], outlines)
    pixels = 0.1 + (0.4 + 0.5 * light)[:, None, None] * np.clip(0.5 - distance, 0.0, 1.0)
    return png_files(pixels + rng.normal(0.0, noise, pixels.shape))
