"""Rounds number columns to a few steps, as a coarse instrument does.

Difficulty: rises with `step`, as neighbouring values become one; rules that look closely
(`periodic`, `interval_band`) suffer first.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import number_columns

DISTURBS = "columns"
TAKES = ["number"]
PARAMETERS = {
    "step": {"type": "number", "exclusiveMinimum": 0, "description": "distance between readings"},
    "only": {"$ref": "#/$defs/columns"},
}


def rounding(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    step: float,
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    disturbed = dict(columns)
    for name in number_columns(columns, only):
        disturbed[name] = np.rint(columns[name] / step) * step
    return disturbed
