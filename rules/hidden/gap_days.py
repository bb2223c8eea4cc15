"""The days since the sample before, of the same group where one is given.

Difficulty: very high for raw models, which look at one row at a time (they cover .03 of the way
from chance to the true feature); the first sample of a history counts as usual.
"""

import numpy as np

from sandmle.runtime.moments import histories

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "over": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "group": {"$ref": "#/$defs/history"},
}


def gap_days(
    rng: np.random.Generator, *, over: np.ndarray, group: np.ndarray | None = None
) -> np.ndarray:
    gaps = np.full(len(over), np.nan)
    for history in histories(over, group):
        gaps[history[1:]] = np.diff(over[history])
    return np.where(np.isnan(gaps), np.nanmedian(gaps) if len(over) > 1 else 0.0, gaps)
