"""How near several numbers together are to one point.

Difficulty: rises with the number of factors in `of`, and as `point` nears the centre (all zeros),
where no factor alone points the way.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 1,
        "maxItems": 8,
        "description": "the numbers that span the space",
    },
    "point": {
        "type": "array",
        "items": {"type": "number"},
        "description": "a coordinate for each number, in its standard deviations from its mean; "
        "drawn near the centre when left out",
    },
}


def distance_to_point(
    rng: np.random.Generator, *, of: Sequence[np.ndarray], point: Sequence[float] | None = None
) -> np.ndarray:
    centre = rng.normal(0.0, 0.4, len(of)) if point is None else np.array(point, dtype=float)
    space = np.column_stack([standardize(values) for values in of])
    return -np.sqrt(((space - centre) ** 2).sum(axis=1))
