"""A wave over the calendar that a moment falls in: highest once every period.

Difficulty: rises as `period` falls beside the time that the samples span (R squared of the best raw
model on 120 rows over 200 days: period 120 .95, 60 .54, 30 .01).
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "period": {
        "type": "number",
        "exclusiveMinimum": 1,
        "description": "days from one peak to the next",
        "examples": [182.6, 121.75, 91.3],
    },
    "peak": {"type": "number", "description": "a moment at which the wave is highest, in days"},
}


def seasonal(
    rng: np.random.Generator, *, of: np.ndarray, period: float = 365.25, peak: float = 0.0
) -> np.ndarray:
    return np.cos(2 * np.pi * (of - peak) / period)
