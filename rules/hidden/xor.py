"""Whether exactly one of two other rules holds, each cut at its middle.

Difficulty: above that of the harder rule: both must be found at once, and half a finding is none.
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "left": {"$ref": "#/$defs/rule"},
    "right": {"$ref": "#/$defs/rule"},
}


def xor(rng: np.random.Generator, *, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return -(fractions(left) - 0.5) * (fractions(right) - 0.5)
