"""The moment at which the level of a series changes most, from 0 for early to 1 for late.

Found where the sum of the deviations from the mean is largest (Page 1954).

Difficulty: high for models of single readings, which don't know which way it changes (share of the
way from chance to the true feature that the best raw model covers on 150 rows: persistence of the
series .2 .11, .6 .29).
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/series_factor"},
}


def change_point(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    gathered = np.cumsum(of - of.mean(axis=1, keepdims=True), axis=1)[:, :-1]
    return np.asarray((np.abs(np.round(gathered, 9)).argmax(axis=1) + 1) / of.shape[1])
