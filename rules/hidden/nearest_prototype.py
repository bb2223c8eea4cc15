"""The class of the nearest of several hidden prototypes (classes of even size, as far as may be).

Difficulty: rises with `prototypes` for each class, which break a class into scattered pieces, and
with the number of factors in `of` (share of the way from chance to the truth that the best raw
model covers on 120 rows: 1 .83, 2 .71, 4 .50).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "category"
CLASSES = "classes"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 8,
        "description": "the numbers that span the space",
        "examples": [["a", "b"]],
    },
    "classes": {"type": "integer", "minimum": 2, "maximum": 10, "description": "how many"},
    "prototypes": {
        "type": "integer",
        "minimum": 1,
        "maximum": 6,
        "description": "for each class",
        "examples": [1, 2, 3],
    },
}


def nearest_prototype(
    rng: np.random.Generator, *, of: Sequence[np.ndarray], classes: int = 3, prototypes: int = 2
) -> np.ndarray:
    space = np.column_stack([standardize(values) for values in of])
    labels, smallest = np.zeros(len(space), dtype=int), -1
    for _ in range(40):
        places = rng.normal(0.0, 1.0, (classes * prototypes, len(of)))
        distances = ((space[:, None, :] - places) ** 2).sum(axis=2)
        found = distances.argmin(axis=1) % classes
        rarest = int(np.bincount(found, minlength=classes).min())
        if rarest > smallest:
            labels, smallest = found, rarest
    return labels
