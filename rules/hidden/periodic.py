"""A sine wave over one number.

Difficulty: rises with `frequency`.
"""

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "frequency": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 20,
        "description": "radians of the wave for each standard deviation of the number",
    },
    "phase": {"type": "number", "description": "shift of the wave, in radians"},
}


def periodic(
    rng: np.random.Generator, *, of: np.ndarray, frequency: float = 3.0, phase: float = 0.0
) -> np.ndarray:
    return np.sin(frequency * standardize(of) + phase)
