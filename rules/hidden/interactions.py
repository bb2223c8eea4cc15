"""A sum of numbers and of their products, two by two, with signs and weights drawn at random.

Difficulty: rises with `share` and with the number of factors in `of`: the products are what linear
models miss, and there is one for each pair (R squared of the best raw model on 120 rows: share .2
.84, .5 .76, 1 .67).
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 6,
        "description": "the numbers",
        "examples": [["a", "b"], ["a", "b", "c"]],
    },
    "share": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of the variance that comes from the products",
        "examples": [0.7, 0.85, 1],
    },
}


def interactions(
    rng: np.random.Generator, *, of: Sequence[np.ndarray], share: float = 0.7
) -> np.ndarray:
    numbers = [standardize(values) for values in of]
    products = [left * right for left, right in combinations(numbers, 2)]
    parts = []
    for terms in (numbers, products):
        weights = rng.choice([-1.0, 1.0], len(terms)) * rng.uniform(0.5, 1.5, len(terms))
        parts.append(standardize(np.column_stack(terms) @ weights))
    return (1 - share) ** 0.5 * parts[0] + share**0.5 * parts[1]
