"""One column of the main table that shows a number or a category.

Difficulty: falls to that of the factor itself as `jitter` goes to 0.
"""

import numpy as np

WRITES = "columns"
MODALITY = "tabular"
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {"$ref": "#/$defs/factor"},
    "jitter": {
        "type": "number",
        "minimum": 0,
        "description": "measurement error, in standard deviations of the factor; numbers only",
    },
}


def column(
    rng: np.random.Generator, *, name: str, of: np.ndarray, jitter: float = 0.0
) -> dict[str, np.ndarray]:
    if of.ndim != 1 or (jitter and of.dtype.kind != "f"):
        raise ValueError(f"column {name!r} shows one value a sample, and jitter only of numbers")
    if jitter:
        of = of + rng.normal(0.0, jitter * of.std(), len(of))
    return {name: of}
