"""A normal number that goes with another one, whatever that one's shape (a normal copula).

Difficulty: a decoy that is correlated with a factor of the rule makes it harder to tell which of
the two matters, and the more so as `correlation` nears 1.
"""

import numpy as np
from scipy.special import ndtri

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "to": {"$ref": "#/$defs/number_factor"},
    "correlation": {
        "type": "number",
        "minimum": -1,
        "maximum": 1,
        "description": "correlation with the normal scores of the other number",
        "examples": [0.4, 0.6, 0.8, -0.6],
    },
    "mean": {"type": "number", "description": "centre of the distribution"},
    "scale": {"type": "number", "exclusiveMinimum": 0, "description": "standard deviation"},
}


def correlated(
    rng: np.random.Generator,
    samples: int,
    *,
    to: np.ndarray,
    correlation: float,
    mean: float = 0.0,
    scale: float = 1.0,
) -> np.ndarray:
    own = rng.normal(0.0, 1.0, samples)
    mixed = correlation * ndtri(fractions(to)) + (1 - correlation**2) ** 0.5 * own
    return mean + scale * mixed
