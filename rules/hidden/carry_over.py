"""What all earlier doses of a number still do, and the present one, of the same group where given.

At every sample a share of what was there is kept, and the sample's own number added (the adstock of
advertising); the effect levels off as it grows.

Difficulty: rises with `memory`, by which the answer stands in earlier rows.
"""

import numpy as np

from sandmle.runtime.moments import histories
from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "over": {"$ref": "#/$defs/number_factor", "examples": ["panel_day", "timestamp"]},
    "group": {"$ref": "#/$defs/history"},
    "memory": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.95,
        "description": "share that is kept from one sample to the next",
        "examples": [0.6, 0.75, 0.85],
    },
    "saturation": {
        "type": "number",
        "minimum": 0,
        "maximum": 5,
        "description": "0 for an effect in proportion; larger for one that levels off sooner",
        "examples": [0.3, 0.6],
    },
}


def carry_over(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    over: np.ndarray,
    group: np.ndarray | None = None,
    memory: float = 0.7,
    saturation: float = 0.5,
) -> np.ndarray:
    dose = standardize(of)
    there = np.empty(len(of))
    for history in histories(over, group):
        kept = 0.0
        for sample in history:
            kept = memory * kept + dose[sample]
            there[sample] = kept
    effect = standardize(there)
    return np.tanh(saturation * effect) if saturation else effect
