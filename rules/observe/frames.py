"""Several grey pictures of one place in a row, in one of which a mask shows: passes, slices.

The ground is the same in all of them but for a drift; give `file` a `{n}` for the picture's number.

Difficulty: rises with `drift`, `clutter` and `noise`, and falls with `contrast`; `lasting` makes
the other pictures say more of the mask and less of the ground.
"""

import numpy as np

from sandmle.runtime.fields import smooth_fields, soften
from sandmle.runtime.images import png_files

WRITES = "files"
MODALITY = "image"
SEVERAL = True
SAYS = "a series of small grey pictures of one place"
PARAMETERS = {
    "mask": {"$ref": "#/$defs/mask_factor", "description": "what is lighter in one picture"},
    "frames": {
        "type": "integer",
        "minimum": 2,
        "maximum": 6,
        "description": "pictures a sample",
        "examples": [3],
    },
    "shown": {
        "type": "integer",
        "minimum": 1,
        "maximum": 6,
        "description": "the number of the picture that shows the mask, from 1 to `frames`",
        "examples": [2],
    },
    "contrast": {
        "type": "number",
        "minimum": -1,
        "maximum": 1,
        "description": "how much lighter the mask is",
        "examples": [0.18, 0.16],
    },
    "clutter": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "standard deviation of the ground, which is patchy",
        "examples": [0.18, 0.2],
    },
    "drift": {
        "type": "integer",
        "minimum": 0,
        "maximum": 4,
        "description": "by how many pixels the ground may move from picture to picture",
        "examples": [2],
    },
    "lasting": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of the contrast that the mask has in the pictures beside",
        "examples": [0],
    },
    "noise": {"$ref": "#/$defs/grain", "examples": [0.04, 0.06]},
}


def frames(
    rng: np.random.Generator,
    *,
    mask: np.ndarray,
    frames: int = 3,
    shown: int = 2,
    contrast: float = 0.2,
    clutter: float = 0.12,
    drift: int = 1,
    lasting: float = 0.0,
    noise: float = 0.05,
) -> list[list[bytes]]:
    if shown > frames:
        raise ValueError(f"picture {shown} of {frames} is to show the mask")
    samples, height, width = mask.shape
    ground = smooth_fields(rng, mask.shape, 1.5) + smooth_fields(rng, mask.shape, width / 6)
    steps = rng.integers(-drift, drift, (2, samples), endpoint=True)
    own = soften(mask, 0.5)
    files = []
    for number in range(1, frames + 1):
        # The ground goes on over its edges: see smooth_fields.
        moved = steps * (number - shown)
        row = (np.arange(height) + moved[0][:, None]) % height
        column = (np.arange(width) + moved[1][:, None]) % width
        seen = ground[np.arange(samples)[:, None, None], row[:, :, None], column[:, None, :]]
        share = lasting ** abs(number - shown)
        pixels = 0.45 + clutter / 2**0.5 * seen + contrast * share * own
        files.append(png_files(pixels + rng.normal(0.0, noise, mask.shape)))
    return [list(sample) for sample in zip(*files, strict=True)]
