"""A switch that a number turns on above one limit and off below a lower one; between, it stays.

Where the number lies between the limits, the answer stands in an earlier row.

Difficulty: rises with `band` (share of the way from chance to the true feature that the best raw
model covers on 150 rows: .2 .95, .35 .86, .5 .73, .65 .56, .8 .43).
"""

from itertools import pairwise

import numpy as np

from sandmle.runtime.moments import histories
from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "over": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "group": {"$ref": "#/$defs/history"},
    "band": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.95,
        "description": "share of samples whose number lies between the limits",
        "examples": [0.4, 0.55, 0.7, 0.8],
    },
}


def hysteresis(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    over: np.ndarray,
    group: np.ndarray | None = None,
    band: float = 0.5,
) -> np.ndarray:
    place = fractions(of) - 0.5
    pushed = np.where(np.abs(place) > band / 2, np.sign(place), 0.0)
    state = np.sign(place)
    for history in histories(over, group):
        for before, now in pairwise(history):
            state[now] = pushed[now] or state[before]
    return state + 0.01 * place
