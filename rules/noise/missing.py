"""Leaves a share of the entries of number columns empty.

Difficulty: rises with `rate`; with `by`, the gaps themselves say something.
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
        "examples": [0.02, 0.04, 0.06],
    },
    "by": {
        "$ref": "#/$defs/number_factor",
        "description": "gaps grow more frequent with this factor; even everywhere when left out",
    },
    "only": {"$ref": "#/$defs/columns"},
}


def missing(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    rate: float = 0.1,
    by: np.ndarray | None = None,
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    return replace_entries(rng, columns, np.nan, rate=rate, by=by, only=only)
