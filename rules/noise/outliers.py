"""Throws entries of number columns far out, whole ones to an end of their range; flags stay.

Difficulty: rises with `rate` for linear models and distances, which need clipping first; trees
mind little.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import kept_possible, number_columns

DISTURBS = "columns"
TAKES = ["number"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.3,
        "description": "share of entries",
        "examples": [0.01, 0.02],
    },
    "size": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "how far out at the most, in standard deviations; half of it at the least",
    },
    "only": {"$ref": "#/$defs/columns"},
}


def outliers(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    rate: float = 0.03,
    size: float = 10.0,
    only: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    disturbed = dict(columns)
    for name in number_columns(columns, only):
        values = columns[name]
        way = rng.choice([-1.0, 1.0], len(values)) * rng.uniform(size / 2, size, len(values))
        is_out = rng.random(len(values)) < rate
        far = np.where(is_out, values + way * np.nanstd(values), values)
        if not np.isin(values, (0.0, 1.0)).all():
            disturbed[name] = kept_possible(values, far)
    return disturbed
