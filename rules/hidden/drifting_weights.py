"""A weighted sum of two numbers whose weights turn as time passes.

Difficulty: rises with `turns` (share of the way from chance to the true feature that the best raw
model covers on 120 rows: .25 .92, .5 .80, 1 .40, 2 .10). With a split by time, half a turn makes
the late samples obey the opposite of what the early ones teach.
"""

import numpy as np

from sandmle.runtime.scaling import fractions, standardize

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "left": {"$ref": "#/$defs/number_factor"},
    "right": {"$ref": "#/$defs/number_factor"},
    "over": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "turns": {
        "type": "number",
        "minimum": 0,
        "maximum": 4,
        "description": "full turns of the weights from the first to the last moment",
        "examples": [0.35],
    },
}


def drifting_weights(
    rng: np.random.Generator,
    *,
    left: np.ndarray,
    right: np.ndarray,
    over: np.ndarray,
    turns: float = 0.5,
) -> np.ndarray:
    angle = 2 * np.pi * (turns * fractions(over) + rng.random())
    return np.cos(angle) * standardize(left) + np.sin(angle) * standardize(right)
