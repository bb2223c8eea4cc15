"""Writes an impossible number, such as -999, in place of a share of the entries.

Difficulty: rises with `rate` for models that take it for a measurement: the naive reach about .70
where a careful one reaches .84 (ROC AUC).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import replace_entries

DISTURBS = "columns"
TAKES = ["number"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of entries",
        "examples": [0.02, 0.04],
    },
    "value": {"type": "number", "description": "the number that stands for nothing"},
    "by": {
        "$ref": "#/$defs/number_factor",
        "description": "sentinels grow more frequent with this factor; even when left out",
    },
    "only": {"$ref": "#/$defs/columns"},
}


def sentinel(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    rate: float = 0.1,
    value: float = -999.0,
    by: np.ndarray | None = None,
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    return replace_entries(rng, columns, value, rate=rate, by=by, only=only)
