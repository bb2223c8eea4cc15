"""A grey picture of solid shapes, one kind of shape for each kind of object, among scratches.

In the order of the kinds: disc, square, cross, ring, diamond, triangle.

Difficulty: rises with `unevenness`, `clutter` and `noise`, and as `contrast` falls.
"""

import numpy as np

from sandmle.runtime.fields import smooth_fields
from sandmle.runtime.images import png_files

WRITES = "files"
MODALITY = "image"
PARAMETERS = {
    "objects": {"$ref": "#/$defs/boxes_factor", "description": "where they are, and their kinds"},
    "size": {
        "$ref": "#/$defs/size",
        "description": "width and height in pixels: those of the objects' own word",
    },
    "contrast": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 1,
        "description": "how much lighter the shapes are, where full light is 1",
        "examples": [0.34, 0.3],
    },
    "unevenness": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "standard deviation of the light over the picture",
        "examples": [0.1, 0.13],
    },
    "clutter": {
        "type": "integer",
        "minimum": 0,
        "maximum": 12,
        "description": "scratches as light as the shapes",
        "examples": [2, 4],
    },
    "noise": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "standard deviation of the grain",
        "examples": [0.05, 0.06],
    },
}


def object_scene(
    rng: np.random.Generator,
    *,
    objects: np.ndarray,
    size: tuple[int, int] = (48, 48),
    contrast: float = 0.35,
    unevenness: float = 0.08,
    clutter: int = 2,
    noise: float = 0.05,
) -> list[bytes]:
    samples, (width, height) = len(objects), size
    drawn = np.zeros((samples, height, width))
    for sample, boxes in enumerate(objects):
        for kind, left, top, wide, high in boxes:
            x = np.abs((np.arange(int(wide)) + 0.5) / wide * 2 - 1)
            down = ((np.arange(int(high)) + 0.5) / high * 2 - 1)[:, None]
            y = np.abs(down)
            reach = np.hypot(x, y)
            shape = (
                reach <= 1.05,
                np.maximum(x, y) <= 1,
                np.minimum(x, y) <= 0.35,
                (reach <= 1.05) & (reach >= 0.5),
                x + y <= 1.1,
                x <= (down + 1.2) / 2,
            )[int(kind)]
            rows, columns = slice(int(top), int(top + high)), slice(int(left), int(left + wide))
            drawn[sample, rows, columns] = np.where(shape, rng.uniform(0.8, 1.0), 0.0)
    start = rng.uniform(0.05, 0.95, (2, samples, clutter, 1))
    turn, length = rng.uniform(0.0, np.pi, (2, samples, clutter, 1))
    along = np.linspace(0.0, 2.0 + 1.5 * length[..., 0], 12, axis=-1)
    column = np.floor(start[0] * width + along * np.cos(turn)).astype(int).clip(0, width - 1)
    row = np.floor(start[1] * height + along * np.sin(turn)).astype(int).clip(0, height - 1)
    drawn[np.arange(samples)[:, None, None], row, column] = 0.9
    light = unevenness * smooth_fields(rng, drawn.shape, max(size) / 5)
    pixels = 0.35 + light + contrast * drawn
    return png_files(pixels + rng.normal(0.0, noise, drawn.shape))
