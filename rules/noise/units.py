"""Records a share of the samples in another unit, without saying which.

Difficulty: rises as `rate` nears half; falls as `times` lies further from 1, where the two units
can be told apart by their size.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import number_columns

DISTURBS = "columns"
TAKES = ["number"]
PARAMETERS = {
    "rate": {"type": "number", "minimum": 0, "maximum": 0.5, "description": "share of samples"},
    "times": {
        "type": "number",
        "description": "an entry in the other unit is the entry times this plus `offset`",
    },
    "offset": {"type": "number", "description": "see `times`: 1.8 and 32 for Fahrenheit"},
    "only": {
        "$ref": "#/$defs/columns",
        "description": "the number columns that the other unit is used for, all in one sample",
    },
}


def units(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    only: Sequence[str],
    rate: float = 0.2,
    times: float = 1.0,
    offset: float = 0.0,
) -> dict[str, np.ndarray]:
    disturbed = dict(columns)
    is_other = rng.random(len(next(iter(columns.values())))) < rate
    for name in number_columns(columns, only):
        values = columns[name]
        disturbed[name] = np.where(is_other, times * values + offset, values)
    return disturbed
