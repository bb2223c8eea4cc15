"""How closely a series follows itself some steps later: its autocorrelation.

Difficulty: very high for models of single readings at any `lag` (share of the way from chance to
the true feature that the best raw model covers on 150 rows: lag 1 .12, 4 .09).
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/series_factor"},
    "lag": {
        "type": "integer",
        "minimum": 1,
        "maximum": 32,
        "description": "steps between the readings that are compared",
        "examples": [1, 2, 3],
    },
}


def lagged_dependency(rng: np.random.Generator, *, of: np.ndarray, lag: int = 1) -> np.ndarray:
    if lag >= of.shape[1]:
        raise ValueError(f"a lag of {lag} in series of {of.shape[1]} steps")
    deviation = of - of.mean(axis=1, keepdims=True)
    together = (deviation[:, lag:] * deviation[:, :-lag]).sum(axis=1)
    return np.asarray(together / np.maximum((deviation**2).sum(axis=1), 1e-12))
