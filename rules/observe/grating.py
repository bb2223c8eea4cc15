"""A picture of parallel waves: how fine they are, which way they run, how strong they stand out.

Direction and contrast are drawn at random for each picture where no factor sets them; the waves
begin anywhere, so no single pixel says anything.

Difficulty: rises with `noise`; high for models of single pixels in any case.
"""

import numpy as np

from sandmle.runtime.images import png_files
from sandmle.runtime.scaling import stretch

WRITES = "files"
MODALITY = "image"
EXACT = True
PARAMETERS = {
    "frequency": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the number of waves across the picture, from 2 to 8",
        "examples": ["normal", "uniform"],
    },
    "angle": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the direction, from 0 to 150 degrees",
        "examples": ["normal", "uniform"],
    },
    "contrast": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the height of the waves",
        "examples": ["normal", "uniform"],
    },
    "size": {"$ref": "#/$defs/size"},
    "noise": {"$ref": "#/$defs/grain", "examples": [0.05, 0.1]},
}


def grating(
    rng: np.random.Generator,
    *,
    frequency: np.ndarray,
    angle: np.ndarray | None = None,
    contrast: np.ndarray | None = None,
    size: tuple[int, int] = (32, 32),
    noise: float = 0.15,
) -> list[bytes]:
    samples = len(frequency)
    waves = stretch(frequency, 2.0, 8.0)
    degrees = rng.uniform(0.0, 180.0, samples) if angle is None else stretch(angle, 0.0, 150.0)
    height = rng.uniform(0.1, 0.4, samples) if contrast is None else stretch(contrast, 0.1, 0.4)
    turn = np.deg2rad(degrees)
    right = (waves * np.cos(turn))[:, None, None] * np.linspace(0, 1, size[0], endpoint=False)
    up = (waves * np.sin(turn))[:, None, None] * np.linspace(1, 0, size[1])[:, None]
    phase = rng.random((samples, 1, 1))
    pixels = 0.5 + height[:, None, None] * np.sin(2 * np.pi * (right + up + phase))
    return png_files(pixels + rng.normal(0.0, noise, pixels.shape))
