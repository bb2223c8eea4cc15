"""Adds normal noise to number columns; whole numbers stay whole, and within their range.

Difficulty: rises with `scale`; rules that need two columns at once suffer twice.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import kept_possible, number_columns

DISTURBS = "columns"
TAKES = ["number"]
PARAMETERS = {
    "scale": {
        "type": "number",
        "minimum": 0,
        "maximum": 3,
        "description": "standard deviation of the noise, in those of the column",
        "examples": [0.03, 0.06, 0.1],
    },
    "only": {"$ref": "#/$defs/columns"},
}


def feature_jitter(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    scale: float = 0.1,
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    disturbed = dict(columns)
    for name in number_columns(columns, only):
        values = columns[name]
        noisy = values + rng.normal(0.0, scale * np.nanstd(values), len(values))
        disturbed[name] = kept_possible(values, noisy)
    return disturbed
