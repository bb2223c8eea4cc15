"""A score written as a formula over the factors.

Difficulty: that of the formula; products and periodic terms are harder to find than sums, and
every factor that no column shows makes the score less predictable.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "score": {"$ref": "#/$defs/formula"},
}


def formula(rng: np.random.Generator, *, score: np.ndarray) -> np.ndarray:
    return score
