"""Moves number columns by one step from some moment on, as a new instrument does.

Difficulty: rises with the size of `step`; most of all with a split by time, where the test samples
lie beyond anything seen in training.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import number_columns
from sandmle.runtime.scaling import fractions

DISTURBS = "columns"
TAKES = ["number"]
PARAMETERS = {
    "over": {"$ref": "#/$defs/number_factor"},
    "share": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of the samples, the earliest, that are read as before",
    },
    "step": {
        "type": "number",
        "description": "the step, in standard deviations of a column",
    },
    "only": {"$ref": "#/$defs/columns"},
}


def shift(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    over: np.ndarray,
    share: float = 0.5,
    step: float = 1.5,
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    is_late = fractions(over) > share
    disturbed = dict(columns)
    for name in number_columns(columns, only):
        values = columns[name]
        disturbed[name] = np.where(is_late, values + step * np.nanstd(values), values)
    return disturbed
