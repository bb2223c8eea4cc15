"""One column of the main table whose entries are JSON objects that hold several factors.

As an export of a log does: {"make": "KX", "detail": {"load": 7.5}}.

Difficulty: high for models that take each entry for a level of its own; falls to that of the
factors once it is parsed. `nested` puts all but the first factor one level deeper.
"""

import json
from collections.abc import Sequence

import numpy as np

WRITES = "columns"
MODALITY = "tabular"
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "parts": {
        "type": "array",
        "items": {"$ref": "#/$defs/factor"},
        "minItems": 2,
        "maxItems": 12,
        "description": "number and category factors",
        "examples": [["a", "b"], ["a", "b", "c"]],
    },
    "keys": {
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": 40},
        "minItems": 2,
        "uniqueItems": True,
        "description": "the keys that the parts stand under, in their order",
    },
    "nested": {"type": "boolean", "description": "whether all but the first stand one deeper"},
    "inner": {
        "type": "string",
        "minLength": 1,
        "maxLength": 40,
        "description": "key of the object inside, where it is nested",
    },
}


def json_column(
    rng: np.random.Generator,
    *,
    name: str,
    parts: Sequence[np.ndarray],
    keys: Sequence[str] = (
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
    ),
    nested: bool = False,
    inner: str = "detail",
) -> dict[str, np.ndarray]:  # fmt: skip
    if len(keys) < len(parts):
        raise ValueError(f"{len(parts)} parts of column {name!r}, but {len(keys)} keys")
    columns = [
        [float(f"{value:.4g}") for value in values]
        if values.dtype.kind == "f"
        else [str(value) for value in values]
        for values in parts
    ]
    entries = []
    for row in zip(*columns, strict=True):
        entry: dict[str, object] = dict(zip(keys, row, strict=False))
        if nested:
            entry = {keys[0]: entry.pop(keys[0]), inner: entry}
        entries.append(json.dumps(entry, ensure_ascii=False))
    return {name: np.array(entries, dtype=str)}
