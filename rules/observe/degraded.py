"""A picture as a poor camera gives it: blurred, grainy, striped, with dead pixels.

Difficulty: rises with every one of its dials; grain and dead pixels are mended from a pixel's
neighbours, stripes from its row, blur from all around.
"""

import numpy as np

from sandmle.runtime.fields import soften
from sandmle.runtime.images import png_files

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "picture": {
        "$ref": "#/$defs/image_factor",
        "description": "the clean picture",
        "examples": ["terrain", "mosaic"],
    },
    "noise": {"$ref": "#/$defs/grain", "examples": [0.08, 0.1]},
    "stripes": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "standard deviation of the rows' own light",
        "examples": [0.0, 0.03],
    },
    "dead": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of pixels that are black or white instead",
        "examples": [0.04, 0.06],
    },
    "blur": {
        "type": "number",
        "minimum": 0,
        "maximum": 3,
        "description": "in pixels",
        "examples": [0.0, 0.3],
    },
}


def degraded(
    rng: np.random.Generator,
    *,
    picture: np.ndarray,
    noise: float = 0.1,
    stripes: float = 0.05,
    dead: float = 0.05,
    blur: float = 0.4,
) -> list[bytes]:
    pixels = 0.15 + 0.7 * soften(picture, blur)
    pixels += stripes * rng.normal(0.0, 1.0, (*picture.shape[:2], 1))
    pixels += rng.normal(0.0, noise, picture.shape)
    broken = rng.random(picture.shape) < dead
    return png_files(np.where(broken, rng.random(picture.shape) < 0.5, pixels))
