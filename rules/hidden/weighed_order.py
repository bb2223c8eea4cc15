"""The items of a sample, named a, b, c and so on, in the order of several measures weighed.

Difficulty: rises with the number of measures, of which each tells less by itself, with `product`,
which orders by measures multiplied, and with the levels of `context`, each with weights of its own.
"""

from collections.abc import Sequence
from string import ascii_lowercase

import numpy as np

YIELDS = "tokens"
TASKS = ["ordering"]
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/numbers_factor", "examples": ["item_values"]},
        "minItems": 2,
        "description": "the measures",
        "examples": [[0, 0], [0, 0, 0]],
    },
    "context": {
        "$ref": "#/$defs/category_factor",
        "description": "has weights of its own for each of its levels",
    },
    "product": {
        "type": "number",
        "minimum": 0,
        "maximum": 3,
        "description": "weight of the first two measures multiplied",
        "examples": [0.5, 1.0, 1.5],
    },
}


def weighed_order(
    rng: np.random.Generator,
    *,
    of: Sequence[np.ndarray],
    context: np.ndarray | None = None,
    product: float = 0.0,
) -> np.ndarray:
    shapes = {measure.shape for measure in of}
    if len(shapes) > 1:
        raise ValueError(f"measures of {sorted(shape[1] for shape in shapes)} items")
    measures = np.stack([(measure - measure.mean()) / measure.std() for measure in of])
    level = np.zeros(len(of[0]), dtype=int)
    if context is not None:
        level = np.unique(context, return_inverse=True)[1]
    sizes = rng.uniform(0.7, 1.3, (level.max() + 1, len(of)))
    weights = (sizes * rng.choice([-1.0, 1.0], sizes.shape))[level]
    score = np.einsum("sm,msi->si", weights, measures) + product * measures[0] * measures[1]
    found = np.empty(len(score), dtype=object)
    for row, order in enumerate(score.argsort(axis=1, kind="stable")):
        found[row] = tuple(ascii_lowercase[item] for item in order)
    return found
