"""Cuts number columns off beyond a limit that the instrument can't read past.

Difficulty: rises with `rate`, the share of samples that all read the same.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import number_columns

DISTURBS = "columns"
TAKES = ["number"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.8,
        "description": "share of samples beyond the limit",
        "examples": [0.03, 0.06],
    },
    "side": {"enum": ["above", "below"], "description": "the side that is cut off"},
    "only": {"$ref": "#/$defs/columns"},
}


def censoring(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    rate: float = 0.15,
    side: str = "above",
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    disturbed = dict(columns)
    for name in number_columns(columns, only):
        values = columns[name]
        if side == "above":
            disturbed[name] = np.minimum(values, np.nanquantile(values, 1 - rate))
        else:
            disturbed[name] = np.maximum(values, np.nanquantile(values, rate))
    return disturbed
