"""Swaps two neighbours in a share of the orders: whoever put the items in order was in a hurry.

Difficulty: rises with `rate`.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["ordering"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of samples",
        "examples": [0.1, 0.2],
    },
}


def swapped_items(rng: np.random.Generator, labels: np.ndarray, *, rate: float) -> np.ndarray:
    hit = rng.random(len(labels)) < rate
    place = rng.random(len(labels))
    found = np.empty(len(labels), dtype=object)
    for row, order in enumerate(labels):
        items = list(order)
        if hit[row] and len(items) > 1:
            at = int(place[row] * (len(items) - 1))
            items[at], items[at + 1] = items[at + 1], items[at]
        found[row] = tuple(items)
    return found
