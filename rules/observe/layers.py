"""A picture in colour, in which each of up to three masks shows in a colour of its own.

The masks are stains, bands or layers: red, green and blue, in this order. Light differs over the
picture in all colours alike.

Difficulty: rises with `mixing`, `unevenness` and `noise`, and falls with `contrast`.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.fields import smooth_fields, soften
from sandmle.runtime.images import png_files

WRITES = "files"
MODALITY = "image"
SAYS = "a small picture in colour"
PARAMETERS = {
    "masks": {
        "type": "array",
        "items": {"$ref": "#/$defs/mask_factor"},
        "minItems": 1,
        "maxItems": 3,
        "description": "shown in red, green and blue, in this order",
    },
    "contrast": {
        "type": "number",
        "minimum": -1,
        "maximum": 1,
        "description": "how much lighter a mask makes its colour",
        "examples": [0.3, 0.25],
    },
    "mixing": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.9,
        "description": "share of a mask's light that the other colours get too",
        "examples": [0.2, 0.35],
    },
    "unevenness": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "standard deviation of the light over the picture",
        "examples": [0.1, 0.14],
    },
    "noise": {"$ref": "#/$defs/grain", "examples": [0.08, 0.12]},
}


def layers(
    rng: np.random.Generator,
    *,
    masks: Sequence[np.ndarray],
    contrast: float = 0.2,
    mixing: float = 0.3,
    unevenness: float = 0.12,
    noise: float = 0.1,
) -> list[bytes]:
    shape = masks[0].shape
    light = 0.45 + unevenness * smooth_fields(rng, shape, max(shape[1:]) / 3.5)
    pixels = np.repeat(light[..., None], 3, axis=3)
    for colour, mask in enumerate(masks):
        shares = np.where(np.arange(3) == colour, 1.0, mixing)
        pixels += contrast * soften(mask, 0.5)[..., None] * shares
    return png_files(pixels + rng.normal(0.0, noise, pixels.shape))
