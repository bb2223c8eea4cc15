"""Writes a share of the dates of a column in another form.

Difficulty: rises with `rate`; a day-first form can't always be told from a month-first one.
"""

from datetime import datetime

import numpy as np

from sandmle.runtime.columns import text_columns

DISTURBS = "columns"
PARAMETERS = {
    "column": {"$ref": "#/$defs/column"},
    "rate": {"type": "number", "minimum": 0, "maximum": 1, "description": "share of dates"},
    "form": {
        "enum": ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d %H:%M"],
        "description": "how the column's dates are written now",
    },
    "other": {
        "enum": ["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%y", "%Y%m%d"],
        "description": "how some will be written",
    },
}


def date_formats(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    column: str,
    rate: float = 0.3,
    form: str = "%Y-%m-%d",
    other: str = "%d/%m/%Y",
) -> dict[str, np.ndarray]:
    text_columns(columns, [column])
    is_other = rng.random(len(columns[column])) < rate
    dates = [
        datetime.strptime(str(date), form).strftime(other) if changed else date
        for date, changed in zip(columns[column], is_other, strict=True)
    ]
    return {**columns, column: np.array(dates, dtype=str)}
