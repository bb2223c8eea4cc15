"""A picture of straight strokes: which way they point, how long and how thick they are.

Length and thickness are drawn at random for each picture where no factor sets them.

Difficulty: rises with `variation`, which turns each stroke away from the others, and with `noise`.
"""

import numpy as np

from sandmle.runtime.images import png_files
from sandmle.runtime.scaling import stretch

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "angle": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the direction, from 0 to 150 degrees",
        "examples": ["normal", "uniform"],
    },
    "length": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the length, from a fifth to four fifths of the picture",
    },
    "thickness": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the thickness, from 1 to 3 pixels",
        "examples": ["normal", "uniform"],
    },
    "number": {"type": "integer", "minimum": 1, "maximum": 6, "description": "strokes a picture"},
    "size": {"$ref": "#/$defs/size"},
    "variation": {
        "type": "number",
        "minimum": 0,
        "maximum": 45,
        "description": "standard deviation of the strokes' directions in one picture, in degrees",
        "examples": [0, 2],
    },
    "noise": {"$ref": "#/$defs/grain", "examples": [0.02, 0.04]},
}


def strokes(
    rng: np.random.Generator,
    *,
    angle: np.ndarray,
    length: np.ndarray | None = None,
    thickness: np.ndarray | None = None,
    number: int = 3,
    size: tuple[int, int] = (32, 32),
    variation: float = 6.0,
    noise: float = 0.1,
) -> list[bytes]:
    samples = len(angle)
    reach = rng.random(samples) if length is None else stretch(length, 0.0, 1.0)
    weight = rng.random(samples) if thickness is None else stretch(thickness, 0.0, 1.0)
    half = (min(size) * (0.1 + 0.3 * reach))[:, None, None]
    broad = (0.5 + weight)[:, None, None]
    degrees = stretch(angle, 0.0, 150.0)
    pixels = np.zeros((samples, size[1], size[0]))
    down, across = np.mgrid[: size[1], : size[0]] + 0.5
    for _ in range(number):
        turn = np.deg2rad(degrees + rng.normal(0.0, variation, samples))[:, None, None]
        centre = rng.uniform(0.25, 0.75, (2, samples, 1, 1))
        x, y = across - centre[0] * size[0], centre[1] * size[1] - down
        along = x * np.cos(turn) + y * np.sin(turn)
        aside = y * np.cos(turn) - x * np.sin(turn)
        distance = np.hypot(np.maximum(np.abs(along) - half, 0.0), aside)
        pixels = np.maximum(pixels, 0.8 * np.clip(broad + 0.5 - distance, 0.0, 1.0))
    return png_files(0.1 + pixels + rng.normal(0.0, noise, pixels.shape))
