"""A wave over the month that a moment falls in: a payday, the end of a quota.

Difficulty: high for raw models, which see a date and no month (they cover .08 of the way from
chance to the true feature); rises with `waves`.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "start": {
        "type": "string",
        "pattern": "^\\d{4}-\\d{2}-\\d{2}$",
        "description": "the date of moment 0; that of the `date_column` which shows it",
    },
    "waves": {
        "type": "integer",
        "minimum": 1,
        "maximum": 4,
        "description": "peaks in a month, of which the first is on day 1",
        "examples": [1, 2],
    },
}


def month_position(
    rng: np.random.Generator, *, of: np.ndarray, start: str = "2024-01-01", waves: int = 1
) -> np.ndarray:
    days = np.datetime64(start, "D") + np.floor(of).astype(int)
    months = days.astype("datetime64[M]")
    length = ((months + 1).astype("datetime64[D]") - months.astype("datetime64[D]")).astype(int)
    passed = (days - months.astype("datetime64[D]")).astype(int)
    return np.cos(2 * np.pi * waves * passed / length)
