"""Whether enough of several numbers pass a test of their own.

The score is the margin of the last number that is needed, so cutting it counts votes.

Difficulty: rises with the number of factors in `of`; `test: inside` is hard for linear models,
`test: above` is nearly linear (share of the way from chance to the true feature that the best raw
model covers on 120 rows: inside 3 .72, 7 .61; above 3 .95, 7 .77).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 9,
        "description": "the numbers that vote",
        "examples": [["a", "b"], ["a", "b", "c"], ["a", "b", "c"]],
    },
    "needed": {
        "type": "integer",
        "minimum": 1,
        "description": "votes needed; more than half when left out",
    },
    "test": {
        "enum": ["inside", "above"],
        "description": "a number passes inside its middle half, or above its median",
        "examples": ["inside"],
    },
}


def quorum(
    rng: np.random.Generator,
    *,
    of: Sequence[np.ndarray],
    needed: int | None = None,
    test: str = "inside",
) -> np.ndarray:
    places = np.column_stack([fractions(values) - 0.5 for values in of])
    margins = np.sort(0.25 - np.abs(places) if test == "inside" else places, axis=1)
    votes = len(of) // 2 + 1 if needed is None else min(needed, len(of))
    return margins[:, -votes]
