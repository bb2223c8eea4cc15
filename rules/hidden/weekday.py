"""A value for each day of the week that a moment falls on.

Shown as a date it means nothing to a model that does not take the date apart.

Difficulty: high for raw models in any case (they cover .06 of the way from chance to the true
feature); falls as the values in `scores` lie further apart.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "start": {
        "type": "string",
        "pattern": "^\\d{4}-\\d{2}-\\d{2}$",
        "description": "the date of moment 0; that of the `date_column` which shows it",
    },
    "scores": {
        "type": "array",
        "items": {"type": "number"},
        "minItems": 7,
        "maxItems": 7,
        "description": "the values from Monday to Sunday; seven even steps in random order "
        "when left out",
    },
}


def weekday(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    start: str = "2024-01-01",
    scores: Sequence[float] | None = None,
) -> np.ndarray:
    values = rng.permutation(np.linspace(-1.0, 1.0, 7)) if scores is None else np.array(scores)
    days = np.datetime64(start, "D").astype(int) + np.floor(of).astype(int)
    return values.astype(float)[(days + 3) % 7]  # day 0, 1970-01-01, was a Thursday
