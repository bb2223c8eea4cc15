"""A picture of flat tones side by side: fields from the air, grains of a metal, tiles.

Difficulty: rises with `cells`, for then more of a picture is edge.
"""

import numpy as np

YIELDS = "image"
PARAMETERS = {
    "size": {"$ref": "#/$defs/size"},
    "cells": {
        "type": "integer",
        "minimum": 2,
        "maximum": 40,
        "description": "how many tones a picture has side by side",
        "examples": [8, 14],
    },
}


def mosaic(
    rng: np.random.Generator,
    samples: int,
    *,
    size: tuple[int, int] = (24, 24),
    cells: int = 10,
) -> np.ndarray:
    down, across = np.mgrid[: size[1], : size[0]] + 0.5
    places = rng.uniform(0.0, 1.0, (2, cells, samples))
    tones = np.round(rng.uniform(0.05, 0.95, (cells, samples)), 3)
    pixels = np.zeros((samples, size[1], size[0]))
    nearest = np.full(pixels.shape, np.inf)
    for x, y, tone in zip(places[0] * size[0], places[1] * size[1], tones, strict=True):
        distance = (across - x[:, None, None]) ** 2 + (down - y[:, None, None]) ** 2
        closer = distance < nearest
        nearest = np.where(closer, distance, nearest)
        pixels = np.where(closer, tone[:, None, None], pixels)
    return pixels
