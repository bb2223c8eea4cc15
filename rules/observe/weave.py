"""A grey picture of waves that run another way inside a mask: cloth, wood, tissue, ploughed land.

Difficulty: rises as `turn` and `tint` fall and with `noise`; without tint a single pixel says
nothing.
"""

import numpy as np

from sandmle.runtime.fields import smooth_fields, soften
from sandmle.runtime.images import png_files

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "mask": {"$ref": "#/$defs/mask_factor", "description": "where waves run another way"},
    "turn": {
        "type": "number",
        "minimum": 10,
        "maximum": 90,
        "description": "by how many degrees",
        "examples": [90, 75],
    },
    "sway": {
        "type": "number",
        "minimum": 0,
        "maximum": 45,
        "description": "how far directions differ between pictures, in degrees",
        "examples": [5, 10],
    },
    "wavelength": {
        "type": "number",
        "minimum": 2.5,
        "maximum": 12,
        "description": "from crest to crest, in pixels",
        "examples": [3, 4],
    },
    "tint": {
        "type": "number",
        "minimum": -0.5,
        "maximum": 0.5,
        "description": "how much lighter the mask is",
        "examples": [0.22, 0.16],
    },
    "noise": {"$ref": "#/$defs/grain", "examples": [0.04, 0.08]},
}


def weave(
    rng: np.random.Generator,
    *,
    mask: np.ndarray,
    turn: float = 70.0,
    sway: float = 8.0,
    wavelength: float = 4.0,
    tint: float = 0.08,
    noise: float = 0.06,
) -> list[bytes]:
    own = soften(mask, 0.5)
    down, across = np.mgrid[: mask.shape[1], : mask.shape[2]] / wavelength
    bent = 0.15 * smooth_fields(rng, mask.shape, 5.0)
    base = rng.normal(45.0 - turn / 2, sway, len(mask))
    waves = []
    for degrees in (base, base + turn):
        way = np.deg2rad(degrees)[:, None, None]
        phase = across * np.cos(way) + down * np.sin(way) + bent + rng.random((len(mask), 1, 1))
        waves.append(np.sin(2 * np.pi * phase))
    pixels = 0.5 + 0.2 * (waves[0] * (1 - own) + waves[1] * own) + tint * (own - 0.5)
    return png_files(pixels + rng.normal(0.0, noise, mask.shape))
