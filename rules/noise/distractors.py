"""Adds columns that have nothing to do with the target: numbers of many shapes, and categories.

Difficulty: rises with `count`, most of all for rules that no column shows alone (`sign_product`,
`parity`).
"""

from collections.abc import Sequence

import numpy as np

DISTURBS = "columns"
PARAMETERS = {
    "count": {"type": "integer", "minimum": 0, "maximum": 60, "description": "number columns"},
    "categories": {
        "type": "integer",
        "minimum": 0,
        "maximum": 20,
        "description": "category columns, of 2 to 6 levels",
    },
    "names": {
        "type": "array",
        "items": {"$ref": "#/$defs/name"},
        "minItems": 1,
        "uniqueItems": True,
        "description": "names to take in this order; they get numbers when used up",
    },
}


def distractors(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    count: int = 4,
    categories: int = 0,
    names: Sequence[str] = (
        "offset", "margin", "grade", "load", "gain", "span", "phase", "index_b", "baseline",
        "level", "spread", "rate_2", "depth", "pressure", "tilt", "density", "delay", "score_c",
        "variant", "channel",
    ),
) -> dict[str, np.ndarray]:  # fmt: skip
    samples = len(next(iter(columns.values())))
    free = [name for name in names if name not in columns]
    wanted = count + categories
    free += [name for turn in range(2, wanted + 3) for name in (f"{base}_{turn}" for base in names)]
    free = [name for name in dict.fromkeys(free) if name not in columns]
    added: dict[str, np.ndarray] = {}
    for name in free[:count]:
        shapes = (rng.normal(0.0, 1.0, samples), rng.gamma(2.0, 1.0, samples), rng.random(samples))
        added[name] = 10 ** rng.uniform(-1, 2) * (shapes[rng.integers(3)] + rng.uniform(0, 3))
    for name in free[count:wanted]:
        levels = [f"{name[:1].upper()}{number}" for number in range(1, int(rng.integers(3, 8)))]
        added[name] = rng.choice(np.array(levels), samples)
    return {**columns, **added}
