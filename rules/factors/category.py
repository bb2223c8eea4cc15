"""A level from a list: a colour, a region, a make.

Difficulty: rises with the number of levels for rules that treat each on its own (see `lookup`),
and with uneven `weights`, which leave few samples to learn the rare levels from.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "category"
PARAMETERS = {
    "levels": {
        "description": "the levels' names, or how many to make up: A01, A02, ...",
        "anyOf": [
            {
                "type": "array",
                "items": {"type": "string", "minLength": 1},
                "minItems": 2,
                "uniqueItems": True,
            },
            {"type": "integer", "minimum": 2, "maximum": 99},
        ],
    },
    "weights": {
        "type": "array",
        "items": {"type": "number", "exclusiveMinimum": 0},
        "minItems": 2,
        "description": "relative frequency of each level, in their order; even when left out",
    },
}


def category(
    rng: np.random.Generator,
    samples: int,
    *,
    levels: Sequence[str] | int,
    weights: Sequence[float] | None = None,
) -> np.ndarray:
    if isinstance(levels, int):
        levels = [f"A{number:02d}" for number in range(1, levels + 1)]
    if weights is not None and len(weights) != len(levels):
        raise ValueError(f"{len(levels)} levels, but {len(weights)} weights")
    shares = None if weights is None else np.array(weights, dtype=float) / sum(weights)
    return rng.choice(np.array(levels, dtype=str), samples, p=shares)
