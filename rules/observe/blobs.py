"""A picture of bright round spots: how many, how large, how bright.

Size and light are drawn at random for each picture where no factor sets them.

Difficulty: rises with `variation`, which keeps a picture's total light from telling the count, and
with `noise`.
"""

import numpy as np

from sandmle.runtime.images import png_files
from sandmle.runtime.scaling import stretch

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "count": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the number of spots, from 1 to `most`",
        "examples": ["normal", "uniform"],
    },
    "radius": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as the size of the spots",
        "examples": ["normal", "uniform"],
    },
    "brightness": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as their light",
        "examples": ["normal", "uniform"],
    },
    "most": {"type": "integer", "minimum": 2, "maximum": 16, "description": "spots at the most"},
    "size": {"$ref": "#/$defs/size"},
    "variation": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "how far the spots of one picture differ in light",
        "examples": [0.1, 0.3],
    },
    "noise": {"$ref": "#/$defs/grain", "examples": [0.03, 0.05]},
}


def blobs(
    rng: np.random.Generator,
    *,
    count: np.ndarray,
    radius: np.ndarray | None = None,
    brightness: np.ndarray | None = None,
    most: int = 9,
    size: tuple[int, int] = (32, 32),
    variation: float = 0.4,
    noise: float = 0.08,
) -> list[bytes]:
    samples = len(count)
    cells = int(np.ceil(most**0.5))
    cell = np.array(size) / cells
    spread = rng.random(samples) if radius is None else stretch(radius, 0.0, 1.0)
    light = rng.random(samples) if brightness is None else stretch(brightness, 0.0, 1.0)
    place = rng.permuted(np.tile(np.arange(cells**2), (samples, 1)), axis=1)[:, :most]
    jitter = rng.uniform(0.3, 0.7, (2, samples, most))
    x = (place % cells + jitter[0]) * cell[0]
    y = (place // cells + jitter[1]) * cell[1]
    width = (cell.min() * (0.1 + 0.1 * spread))[:, None]
    present = np.arange(most) < np.rint(stretch(count, 1, most))[:, None]
    strength = (0.4 + 0.5 * light)[:, None] * rng.uniform(1 - variation, 1, (samples, most))
    across = np.exp(-(((np.arange(size[0]) + 0.5 - x[..., None]) / width[..., None]) ** 2) / 2)
    down = np.exp(-(((np.arange(size[1]) + 0.5 - y[..., None]) / width[..., None]) ** 2) / 2)
    pixels = np.einsum("sn,snh,snw->shw", present * strength, down, across)
    return png_files(0.1 + pixels + rng.normal(0.0, noise, pixels.shape))
