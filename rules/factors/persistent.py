"""A number that changes slowly over time, as a first-order autoregression along a timestamp.

Difficulty: falls with `persistence` for rules about earlier values (`previous_value`), since the
present value then already tells most of the earlier one.
"""

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "over": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
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
    persistence: float = 0.7,
    mean: float = 0.0,
    scale: float = 1.0,
) -> np.ndarray:
    state = rng.normal(0.0, 1.0, samples)
    for now in range(1, samples):
        state[now] = persistence * state[now - 1] + (1 - persistence**2) ** 0.5 * state[now]
    values = np.empty(samples)
    values[np.argsort(over, kind="stable")] = standardize(state)
    return mean + scale * values
