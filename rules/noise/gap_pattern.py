"""Leaves entries empty so that the gaps themselves tell a category: each level lacks one column.

As where every kind of form has a field that it does not ask for.

Difficulty: high for models that fill gaps before they look; a flag for each gap tells the level.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import number_columns

DISTURBS = "columns"
PARAMETERS = {
    "of": {"$ref": "#/$defs/category_factor"},
    "only": {
        "$ref": "#/$defs/columns",
        "description": "the number columns; levels share them out at random, as evenly as may be",
    },
}


def gap_pattern(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    of: np.ndarray,
    only: Sequence[str],
) -> dict[str, np.ndarray]:
    _, level = np.unique(of, return_inverse=True)
    names = number_columns(columns, only)
    lacks = rng.permutation(level.max() + 1)[level] % len(names)
    gaps = {
        name: np.where(lacks == place, np.nan, columns[name]) for place, name in enumerate(names)
    }
    return {**columns, **gaps}
