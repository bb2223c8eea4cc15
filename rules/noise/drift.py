"""Lets number columns drift as time passes, as an instrument does that is never recalibrated.

Difficulty: rises with `slope`; most of all with a split by time, where the test set lies beyond
anything seen in training.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import number_columns
from sandmle.runtime.scaling import fractions

DISTURBS = "columns"
TAKES = ["number"]
PARAMETERS = {
    "over": {"$ref": "#/$defs/number_factor"},
    "slope": {
        "type": "number",
        "description": "shift from the first to the last moment, in standard deviations",
    },
    "only": {"$ref": "#/$defs/columns"},
}


def drift(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    over: np.ndarray,
    slope: float = 2.0,
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    disturbed = dict(columns)
    for name in number_columns(columns, only):
        values = columns[name]
        disturbed[name] = values + slope * np.nanstd(values) * (fractions(over) - 0.5)
    return disturbed
