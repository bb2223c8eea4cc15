"""One column of the main table whose entries are codes put together from several factors.

A number shows as a whole number with leading zeros, a category as its level: KX-07-north.

Difficulty: high for models that take a code for one category of many levels; falls to that of the
factors once the code is split at its separator. Without a separator it must be split by position.
"""

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
        "maxItems": 6,
        "description": "number and category factors, in the order of the code",
        "examples": [["a", "b"], ["a", "b", "c"]],
    },
    "separator": {"type": "string", "maxLength": 2, "description": "stands between the parts"},
}


def code_column(
    rng: np.random.Generator, *, name: str, parts: Sequence[np.ndarray], separator: str = "-"
) -> dict[str, np.ndarray]:
    written = []
    for values in parts:
        if values.dtype.kind == "f":
            numbers = np.rint(values).astype(int)
            width = len(str(np.abs(numbers).max()))
            values = np.array([f"{number:0{width}d}" for number in numbers])
        written.append(values)
    codes = [separator.join(pieces) for pieces in zip(*written, strict=True)]
    return {name: np.array(codes, dtype=str)}
