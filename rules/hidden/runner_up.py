"""Which of several numbers holds a given place: the greatest, the second, ...

Difficulty: rises with `place` up to the middle, and with the number of factors in `of`, of which
each is a class (share of the way from chance to the truth that the best raw model covers on 150
rows: of 3 factors place 1 .83, 2 .22; of 5 factors 1 .73, 2 .15, 3 .08).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "category"
CLASSES = "of"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 10,
        "description": "the numbers, class 0 first",
    },
    "place": {
        "type": "integer",
        "minimum": 1,
        "maximum": 10,
        "description": "1 for the greatest, 2 for the runner-up, and so on; the last at the most",
        "examples": [1, 2],
    },
}


def runner_up(rng: np.random.Generator, *, of: Sequence[np.ndarray], place: int = 2) -> np.ndarray:
    order = np.argsort(
        -np.column_stack([fractions(values) for values in of]), axis=1, kind="stable"
    )
    return np.asarray(order[:, min(place, len(of)) - 1])
