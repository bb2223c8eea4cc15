"""The response to a dose that saturates and then turns harmful, at doses that differ by sample.

Benefit and harm are sigmoid in the dose d (Hill 1910): top * H(d, h) * (1 - H(d, h * window)) with
H(d, h) = d^s / (d^s + h^s); the dose of half effect h falls as the sensitivity grows.

Difficulty: rises as `window` falls, with `shift` and with `steepness`: the response becomes a
narrow peak that lies elsewhere for each sample (R squared of the best raw model on 120 rows: window
100 .92, 3 .77, 2 .64, 1.2 .60).
"""

import numpy as np

from sandmle.runtime.scaling import fractions, standardize

YIELDS = "number"
PARAMETERS = {
    "dose": {"$ref": "#/$defs/number_factor"},
    "sensitivity": {"$ref": "#/$defs/number_factor"},
    "steepness": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 20,
        "description": "Hill coefficient s",
    },
    "shift": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "how far a standard deviation of sensitivity moves log h",
    },
    "window": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 100,
        "description": "dose of half harm, in doses of half effect; 100 for practically none",
    },
    "top": {"type": "number", "exclusiveMinimum": 0, "description": "the largest response"},
}


def dose_response(
    rng: np.random.Generator,
    *,
    dose: np.ndarray,
    sensitivity: np.ndarray,
    steepness: float = 4.0,
    shift: float = 0.6,
    window: float = 2.0,
    top: float = 100.0,
) -> np.ndarray:
    amount = (2 * fractions(dose)) ** steepness
    half = np.exp(-shift * standardize(sensitivity)) ** steepness
    return top * amount / (amount + half) / (1 + amount / (half * window**steepness))
