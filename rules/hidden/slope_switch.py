"""Whether the trend of a series turns half way: rising and then falling, or the reverse.

Difficulty: high for linear models, which stay at chance; falls as the series is more persistent, so
that its trends are plainer (share of the way from chance to the true feature that the best raw
model covers on 150 rows: persistence .2 .09, .6 .28, .9 .53).
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/series_factor"},
}


def slope_switch(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    half = of.shape[1] // 2
    moment = np.arange(half) - (half - 1) / 2
    # By this the fitted lines rise within a half, so that long series give no larger numbers.
    rise = half * moment / (moment @ moment)
    return -(of[:, :half] @ rise) * (of[:, -half:] @ rise)
