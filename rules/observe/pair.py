"""A picture of a disc and a ring: how far the disc lies to the right of the ring, and above it.

Both are equally bright and lie anywhere, so only their relation tells.

Difficulty: rises with `noise`; high for models of single pixels in any case.
"""

import numpy as np

from sandmle.runtime.images import png_files
from sandmle.runtime.scaling import stretch

WRITES = "files"
MODALITY = "image"
EXACT = True
PARAMETERS = {
    "right": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the way from ring to disc, from far left to far right",
        "examples": ["normal", "uniform"],
    },
    "above": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the way from ring to disc, from far below to far above; "
        "at random where left out",
        "examples": ["normal", "uniform"],
    },
    "size": {"$ref": "#/$defs/size"},
    "noise": {"$ref": "#/$defs/grain", "examples": [0.03, 0.05]},
}


def pair(
    rng: np.random.Generator,
    *,
    right: np.ndarray,
    above: np.ndarray | None = None,
    size: tuple[int, int] = (32, 32),
    noise: float = 0.08,
) -> list[bytes]:
    samples = len(right)
    radius = min(size) * 0.11
    room = np.array(size)[:, None] - 2 * (radius + 1)
    way_right = stretch(right, -0.6, 0.6)
    way_up = rng.uniform(-0.6, 0.6, samples) if above is None else stretch(above, -0.6, 0.6)
    way = room * np.stack([way_right, -way_up])
    middle = np.array(size)[:, None] / 2 + rng.uniform(-0.5, 0.5, way.shape) * (room - np.abs(way))
    down, across = np.mgrid[: size[1], : size[0]] + 0.5
    from_disc, from_ring = (
        np.hypot(across - x[:, None, None], down - y[:, None, None])
        for x, y in (middle + way / 2, middle - way / 2)
    )
    disc = np.clip(0.85 * radius + 0.5 - from_disc, 0.0, 1.0)
    ring = np.clip(0.3 * radius + 0.5 - np.abs(from_ring - radius), 0.0, 1.0)
    pixels = 0.1 + 0.7 * np.maximum(disc, ring)
    return png_files(pixels + rng.normal(0.0, noise, pixels.shape))
