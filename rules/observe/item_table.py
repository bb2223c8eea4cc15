"""A second table with a row for each of a sample's items, named a, b, c, and columns of numbers.

Difficulty: rises with `jitter`.
"""

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any

import numpy as np

WRITES = "rows"
MODALITY = "tabular"
TASKS = ["ordering"]
FILE = "items.csv"
SAYS = "a list of items with their measures"
MEANS = {
    "item": "name of the item",
    "columns": "the measure {column} of the item",
}
PARAMETERS = {
    "item": {"$ref": "#/$defs/name", "description": "name of the column of the items' names"},
    "columns": {
        "type": "array",
        "minItems": 1,
        "description": "the columns of numbers",
        "items": {
            "type": "object",
            "required": ["name", "of"],
            "additionalProperties": False,
            "properties": {
                "name": {"$ref": "#/$defs/name"},
                "of": {"$ref": "#/$defs/numbers_factor", "examples": ["item_values"]},
            },
        },
    },
    "jitter": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "measurement error, in standard deviations of the numbers",
        "examples": [0.0, 0.05],
    },
}


def item_table(
    rng: np.random.Generator,
    *,
    columns: Sequence[Mapping[str, Any]],
    item: str = "item",
    jitter: float = 0.0,
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    shapes = {entry["of"].shape for entry in columns}
    if len(shapes) > 1:
        raise ValueError(f"columns of {sorted(shape[1] for shape in shapes)} items")
    samples, items = next(iter(shapes))
    found = {item: np.tile(np.array(list(ascii_lowercase[:items])), samples)}
    for entry in columns:
        values = entry["of"]
        values = values + rng.normal(0.0, jitter * values.std() + 1e-12, values.shape)
        found[entry["name"]] = values.ravel()
    return np.repeat(np.arange(samples), items), found
