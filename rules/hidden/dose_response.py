"""The response to a dose that saturates and then turns harmful, at doses that differ by sample.

Benefit and harm are sigmoid in the dose d (Hill 1910): top * H(d, h) * (1 - H(d, h * window)) with
H(d, h) = d^s / (d^s + h^s). The dose counts on a logarithmic scale, so that one standard deviation
more of it is e times the dose; the dose of half effect h falls as the sensitivity grows.

Difficulty: rises as `window` falls and with the size of `shift`: the response becomes a narrow peak
that lies elsewhere for each sample (R squared of the best raw model on 120 rows: window 100 .91,
10 .83, 3 .67, 2 .62).
"""

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "dose": {"$ref": "#/$defs/number_factor"},
    "sensitivity": {"$ref": "#/$defs/number_factor"},
    "steepness": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 20,
        "description": "Hill coefficient s",
        "examples": [1.5, 2],
    },
    "shift": {
        "type": "number",
        "minimum": -2,
        "maximum": 2,
        "description": "how far a standard deviation of sensitivity lowers log h; negative for "
        "a number that protects",
        "examples": [-0.8, -1],
    },
    "window": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 100,
        "description": "dose of half harm, in doses of half effect; 100 for practically none",
        "examples": [3, 2, 1.5],
    },
    "top": {"type": "number", "exclusiveMinimum": 0, "description": "the largest response"},
}


def dose_response(
    rng: np.random.Generator,
    *,
    dose: np.ndarray,
    sensitivity: np.ndarray,
    steepness: float = 3.0,
    shift: float = 0.6,
    window: float = 3.0,
    top: float = 100.0,
) -> np.ndarray:
    excess = np.exp(steepness * (standardize(dose) + shift * standardize(sensitivity)))
    return top * excess / (1 + excess) / (1 + excess / window**steepness)
