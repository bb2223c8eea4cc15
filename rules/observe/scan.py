"""A grey picture in which a mask is lighter than what surrounds it, and rougher.

Light differs over the picture, so that the same tone belongs to the mask in one place and not in
another: what counts is the contrast to the surroundings.

Difficulty: rises with `unevenness` for models of single pixels, with `noise` for all, and falls
with `contrast` and `roughness`. A `decoy` leaves roughness alone to tell the mask.
"""

import numpy as np

from sandmle.runtime.fields import smooth_fields, soften
from sandmle.runtime.images import png_files

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "mask": {"$ref": "#/$defs/mask_factor", "description": "what is lighter than the rest"},
    "decoy": {
        "$ref": "#/$defs/mask_factor",
        "description": "lighter too, but as smooth as the rest",
    },
    "contrast": {
        "type": "number",
        "minimum": -1,
        "maximum": 1,
        "description": "how much lighter the mask is, where full light is 1; below 0 for darker",
        "examples": [0.3, 0.26, -0.24],
    },
    "roughness": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "standard deviation of the mask's own grain",
        "examples": [0.05],
    },
    "unevenness": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "standard deviation of the light over the picture",
        "examples": [0.1, 0.13],
    },
    "blur": {"type": "number", "minimum": 0, "maximum": 3, "description": "of outlines, in pixels"},
    "noise": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "standard deviation of the grain everywhere",
        "examples": [0.05, 0.07],
    },
}


def scan(
    rng: np.random.Generator,
    *,
    mask: np.ndarray,
    decoy: np.ndarray | None = None,
    contrast: float = 0.2,
    roughness: float = 0.0,
    unevenness: float = 0.15,
    blur: float = 0.6,
    noise: float = 0.06,
) -> list[bytes]:
    light = unevenness * smooth_fields(rng, mask.shape, max(mask.shape[1:]) / 3.5)
    own = soften(mask, blur)
    lighter = own if decoy is None else np.maximum(own, soften(decoy, blur))
    rough = roughness * own * rng.normal(0.0, 1.0, mask.shape)
    pixels = 0.5 - contrast / 2 + light + contrast * lighter + rough
    return png_files(pixels + rng.normal(0.0, noise, mask.shape))
