"""How often a series rises above a limit: the number of its excursions.

Difficulty: high for models of single readings (share of the way from chance to the true feature
that the best raw model covers on 150 rows: height 0 .07, .5 .28, 1 .35): an excursion may come at
any moment, and near the mean the readings' level says nothing of their number.
"""

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/series_factor"},
    "height": {
        "type": "number",
        "description": "the limit, in standard deviations above the mean of all readings",
        "examples": [0.5, 0.8, 1],
    },
}


def burst_count(rng: np.random.Generator, *, of: np.ndarray, height: float = 1.0) -> np.ndarray:
    is_above = standardize(of) > height
    rises = is_above[:, 1:] & ~is_above[:, :-1]
    return is_above[:, 0] + rises.sum(axis=1) + 1e-3 * of.max(axis=1)
