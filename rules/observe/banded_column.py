"""One column of the main table that shows a number as one of a few ordered bands.

Difficulty: rises as there are fewer `bands`: what lies between two cuts can't be told apart.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

WRITES = "columns"
MODALITY = "tabular"
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {"$ref": "#/$defs/number_factor"},
    "bands": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 2,
        "maxItems": 20,
        "uniqueItems": True,
        "description": "the bands' names from the lowest up; each holds as many samples",
    },
}


def banded_column(
    rng: np.random.Generator,
    *,
    name: str,
    of: np.ndarray,
    bands: Sequence[str] = ("low", "medium", "high"),
) -> dict[str, np.ndarray]:
    band = (fractions(of) * len(bands)).astype(int)
    return {name: np.array(bands, dtype=str)[band]}
