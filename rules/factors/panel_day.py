"""The day of a sample of a panel: each group has one sample a day, from the first day on.

Difficulty: none of its own; with a split by time, all groups are known from their earlier days.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "group": {
        "$ref": "#/$defs/category_factor",
        "description": "the entity whose days are counted",
        "examples": ["group"],
    },
    "start": {"type": "number", "description": "the first day"},
    "step": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "days from one sample of a group to the next",
    },
}


def panel_day(
    rng: np.random.Generator,
    samples: int,
    *,
    group: np.ndarray,
    start: float = 0.0,
    step: float = 1.0,
) -> np.ndarray:
    days = np.empty(samples)
    for name in np.unique(group):
        members = rng.permutation(np.flatnonzero(group == name))
        days[members] = start + step * np.arange(len(members))
    return days
