"""The response to a dose that saturates, at a dose that depends on how sensitive the sample is.

The sigmoid response of pharmacology (Hill 1910): top * d^s / (d^s + h^s), where the dose of half
effect h falls as the sensitivity grows.

Difficulty: rises with `shift` (dose alone says less) and with `steepness` (nearer to a step, whose
place each sample has for itself).
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
        "description": "Hill coefficient",
    },
    "shift": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "how far a standard deviation of sensitivity moves log h",
    },
    "top": {"type": "number", "exclusiveMinimum": 0, "description": "the largest response"},
}


def saturating_dose(
    rng: np.random.Generator,
    *,
    dose: np.ndarray,
    sensitivity: np.ndarray,
    steepness: float = 3.0,
    shift: float = 0.6,
    top: float = 100.0,
) -> np.ndarray:
    amount = 2 * fractions(dose)
    half = np.exp(-shift * standardize(sensitivity))
    return top * amount**steepness / (amount**steepness + half**steepness)
