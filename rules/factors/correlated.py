"""A normal number that goes with another one, whatever that one's shape (a normal copula).

Difficulty: falls as `correlation` nears 1 or -1: to raw models a decoy that goes with a factor of
the rule is one more reading of it (`sign_product` in drafted tables, share of the way that the best
of them covers: .4 .35, .6 .39, .8 .47). Which of the two matters is the harder to tell.
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
        "examples": [0.8, -0.6, 0.6, 0.4],
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
