"""A background series: a first-order autoregression of unit variance.

Difficulty: rises with `persistence` for slow patterns laid over it (`level`, `slope`, `change` of
`readings`), which a persistent background resembles.
"""

import numpy as np
from scipy.signal import lfilter

YIELDS = "series"
PARAMETERS = {
    "length": {
        "type": "integer",
        "minimum": 8,
        "maximum": 512,
        "description": "steps a series",
        "examples": [48, 64, 96],
    },
    "persistence": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.99,
        "description": "correlation of a step with the one before; 0 for white noise",
        "examples": [0, 0.2, 0.4],
    },
}


def autoregressive(
    rng: np.random.Generator, samples: int, *, length: int = 48, persistence: float = 0.5
) -> np.ndarray:
    shocks = rng.normal(0.0, (1 - persistence**2) ** 0.5, (samples, length))
    shocks[:, 0] = rng.normal(0.0, 1.0, samples)
    return lfilter([1.0], [1.0, -persistence], shocks, axis=1)
