"""A whole number of events: visits, defects, claims.

Difficulty: none of its own; a small `mean` makes ties, and so rougher classes after a cut.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "mean": {"type": "number", "exclusiveMinimum": 0, "description": "mean above `lowest`"},
    "lowest": {"type": "integer", "description": "smallest possible count"},
    "dispersion": {
        "type": "number",
        "minimum": 0,
        "maximum": 5,
        "description": "0 for a Poisson count; d gives the variance mean + d * mean squared",
    },
}


def count(
    rng: np.random.Generator,
    samples: int,
    *,
    mean: float = 4.0,
    lowest: int = 0,
    dispersion: float = 0.0,
) -> np.ndarray:
    rate = rng.gamma(1 / dispersion, dispersion * mean, samples) if dispersion else mean
    return lowest + rng.poisson(rate, samples).astype(float)
