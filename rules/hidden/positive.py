"""What another rule says, as an amount: always above 0, and far above it for a few samples.

A share of its spread decides how skewed the amounts are: they are the exponential of the score.

Difficulty: that of the rule inside; errors of a large amount count more where the metric takes
differences, and as much as others where it takes ratios or logarithms.
"""

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
RANGE = "positive"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/rule",
        "examples": [
            {"kind": "ratio"},
            {"kind": "distance_to_point"},
            {"kind": "sign_product"},
            {"kind": "periodic"},
            {"kind": "interval_band"},
            {"kind": "interactions"},
            {"kind": "ring_count"},
            {"kind": "mean_distance"},
            {"kind": "hub_degree"},
        ],
    },
    "spread": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 2,
        "description": "standard deviation of the amounts' logarithm",
        "examples": [0.5, 0.7],
    },
    "middle": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "the amount that the mean score stands for",
        "examples": [10.0],
    },
}


def positive(
    rng: np.random.Generator, *, of: np.ndarray, spread: float = 0.5, middle: float = 1.0
) -> np.ndarray:
    return middle * np.exp(spread * np.clip(standardize(of), -4.0, 4.0))
