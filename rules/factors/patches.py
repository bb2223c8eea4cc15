"""A mask of soft patches, such as ice, oil, snow or spreading mould.

Difficulty: falls with `scale`: wide patches have little outline to be wrong about. Small `shares`
leave little to find.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.fields import smooth_fields
from sandmle.runtime.scaling import stretch

YIELDS = "mask"
PARAMETERS = {
    "size": {"$ref": "#/$defs/size"},
    "scale": {
        "type": "number",
        "minimum": 1,
        "maximum": 12,
        "description": "how wide the patches are, in pixels",
        "examples": [4, 3],
    },
    "shares": {
        "type": "array",
        "items": {"type": "number", "minimum": 0, "maximum": 0.9},
        "minItems": 2,
        "maxItems": 2,
        "description": "least and greatest share of a picture that they cover",
        "examples": [[0.1, 0.4]],
    },
    "share": {
        "$ref": "#/$defs/number_factor",
        "description": "sets the share of each picture within `shares`",
    },
    "empty": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.8,
        "description": "share of pictures that have none",
        "examples": [0],
    },
}


def patches(
    rng: np.random.Generator,
    samples: int,
    *,
    size: tuple[int, int] = (32, 32),
    scale: float = 4.0,
    shares: Sequence[float] = (0.1, 0.4),
    share: np.ndarray | None = None,
    empty: float = 0.0,
) -> np.ndarray:
    fields = smooth_fields(rng, (samples, size[1], size[0]), scale)
    covered = rng.uniform(*shares, samples) if share is None else stretch(share, *shares)
    pixels = np.rint(covered * size[0] * size[1]).astype(int)
    pixels[rng.random(samples) < empty] = 0
    flat = fields.reshape(samples, -1)
    rank = flat.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    return (rank >= flat.shape[1] - pixels[:, None]).reshape(fields.shape)
