"""One column of the main table that shows a moment as a date.

Difficulty: high for models that take a date for a plain text; falls to that of the moment itself
once year, month and weekday are taken out.
"""

from datetime import datetime, timedelta

import numpy as np

WRITES = "columns"
MODALITY = "tabular"
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "start": {
        "type": "string",
        "pattern": "^\\d{4}-\\d{2}-\\d{2}$",
        "description": "the date of moment 0; moments count days",
    },
    "form": {
        "enum": ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d %H:%M"],
        "description": "how a date is written",
    },
}


def date_column(
    rng: np.random.Generator,
    *,
    name: str,
    of: np.ndarray,
    start: str = "2024-01-01",
    form: str = "%Y-%m-%d",
) -> dict[str, np.ndarray]:
    first = datetime.fromisoformat(start)
    dates = [(first + timedelta(days=float(moment))).strftime(form) for moment in of]
    return {name: np.array(dates, dtype=str)}
