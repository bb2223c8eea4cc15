"""A page as it is found: stained, in uneven light, with the other side's letters shining through.

Difficulty: rises with `stains`, `shading`, `ghost` and `speckle`; a stain as dark as the ink leaves
nothing for models of single pixels.
"""

import numpy as np

from sandmle.runtime.fields import smooth_fields, soften
from sandmle.runtime.images import png_files

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "page": {
        "$ref": "#/$defs/image_factor",
        "description": "the clean page, ink dark on white",
        "examples": ["page"],
    },
    "stains": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "how dark stains are, where ink is 1",
        "examples": [0.6, 0.7],
    },
    "shading": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "how dark the page gets towards one side",
        "examples": [0.35, 0.4],
    },
    "ghost": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "how strongly another page shines through, mirrored",
        "examples": [0.1, 0.2],
    },
    "speckle": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of pixels that dust hides",
        "examples": [0.01, 0.02],
    },
    "blur": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "in pixels",
        "examples": [0.3],
    },
}


def dirty_page(
    rng: np.random.Generator,
    *,
    page: np.ndarray,
    stains: float = 0.5,
    shading: float = 0.3,
    ghost: float = 0.15,
    speckle: float = 0.02,
    blur: float = 0.4,
) -> list[bytes]:
    samples, height, width = page.shape
    other = page[np.roll(np.arange(samples), 1)][:, :, ::-1]
    light = soften(page, blur) - ghost * (1 - soften(other, 0.7))
    # Stains are the high parts of a field, brighter in the middle than at their rim.
    field = smooth_fields(rng, page.shape, min(height, width) / 7)
    blots = np.clip((field - 0.6) / 0.25, 0.0, 1.0) - 0.4 * np.clip((field - 1.1) / 0.6, 0.0, 1.0)
    turn = rng.uniform(0.0, 2 * np.pi, (samples, 1, 1))
    down, across = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    side = (across * np.cos(turn) + down * np.sin(turn) + 1.0) / 2
    light = light * (1 - stains * blots) * (1 - shading * np.clip(side, 0.0, 1.0))
    dust = rng.random(page.shape) < speckle
    pixels = np.where(dust, rng.random(page.shape), light)
    return png_files(pixels + rng.normal(0.0, 0.02, page.shape))
