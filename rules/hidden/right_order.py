"""The items of a sample, named a, b, c and so on, in the order of their numbers.

Difficulty: that of seeing the numbers; with `context`, the order is turned round for half of its
levels, so no measure by itself tells it.
"""

from string import ascii_lowercase

import numpy as np

YIELDS = "tokens"
TASKS = ["ordering"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/numbers_factor", "examples": ["item_values"]},
    "context": {
        "$ref": "#/$defs/category_factor",
        "description": "the order falls for half of its levels and rises for the others",
    },
}


def right_order(
    rng: np.random.Generator, *, of: np.ndarray, context: np.ndarray | None = None
) -> np.ndarray:
    numbers = of
    if context is not None:
        levels, level = np.unique(context, return_inverse=True)
        sign = rng.permutation(np.where(np.arange(len(levels)) < len(levels) / 2, -1.0, 1.0))
        numbers = of * sign[level][:, None]
    found = np.empty(len(of), dtype=object)
    for row, order in enumerate(numbers.argsort(axis=1, kind="stable")):
        found[row] = tuple(ascii_lowercase[item] for item in order)
    return found
