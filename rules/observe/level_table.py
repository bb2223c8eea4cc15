"""A table with a row for each level of a category, to be joined by it: what is known of each shop.

A number shows as its mean over the level's samples, so one that is the same in all of them
(`level_value`) shows as it is.

Difficulty: high for models that leave the table out; falls to that of columns once it is joined.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

WRITES = "table"
MODALITY = "tabular"
DRAFTED = False
PARAMETERS = {
    "key": {
        "$ref": "#/$defs/name",
        "description": "name of the column of levels; that of the main table's column, to be found",
    },
    "of": {"$ref": "#/$defs/category_factor"},
    "columns": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "name": {"$ref": "#/$defs/name"},
                "of": {"$ref": "#/$defs/number_factor", "examples": ["level_value"]},
            },
            "required": ["name", "of"],
            "additionalProperties": False,
        },
        "minItems": 1,
        "maxItems": 20,
        "description": "the other columns and what they show",
    },
}


def level_table(
    rng: np.random.Generator,
    *,
    key: str,
    of: np.ndarray,
    columns: Sequence[dict[str, Any]],
) -> dict[str, np.ndarray]:
    levels, member, sizes = np.unique(of, return_inverse=True, return_counts=True)
    table = {key: levels}
    for column in columns:
        if column["name"] in table:
            raise ValueError(f"two columns of the table are called {column['name']!r}")
        table[column["name"]] = np.bincount(member, weights=column["of"]) / sizes
    return table
