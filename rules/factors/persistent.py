"""A number that changes slowly over time, as a first-order autoregression along a timestamp.

With groups, each goes its own way.

Difficulty: falls with `persistence` for rules about earlier values (`previous_value`), since the
present value then already tells most of the earlier one.
"""

from itertools import pairwise

import numpy as np

from sandmle.runtime.moments import histories
from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "over": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "group": {
        "$ref": "#/$defs/category_factor",
        "description": "each group has a course of its own; all share one when left out",
    },
    "persistence": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.99,
        "description": "correlation of a sample with the one before it in time",
    },
    "mean": {"type": "number", "description": "centre of the distribution"},
    "scale": {"type": "number", "exclusiveMinimum": 0, "description": "standard deviation"},
}


def persistent(
    rng: np.random.Generator,
    samples: int,
    *,
    over: np.ndarray,
    group: np.ndarray | None = None,
    persistence: float = 0.7,
    mean: float = 0.0,
    scale: float = 1.0,
) -> np.ndarray:
    values = np.empty(samples)
    values[np.argsort(over, kind="stable")] = rng.normal(0.0, 1.0, samples)
    for history in histories(over, group):
        for before, now in pairwise(history):
            values[now] = persistence * values[before] + (1 - persistence**2) ** 0.5 * values[now]
    return mean + scale * standardize(values)
