"""How votes are shared among classes: the softmax of a score for each, by rules of their own.

Difficulty: that of its rules; rises as `temperature` falls, where nearly all votes go to one class
and errors cost more.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import softmax

from sandmle.runtime.scaling import standardize

YIELDS = "distribution"
CLASSES = "of"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {
            "$ref": "#/$defs/rule",
            "examples": [
                {"kind": "sign_product"},
                {"kind": "periodic"},
                {"kind": "ratio"},
                {"kind": "interval_band"},
                {"kind": "piecewise_regime"},
                {"kind": "distance_to_point"},
            ],
        },
        "minItems": 2,
        "maxItems": 10,
        "description": "a rule for each class, class 0 first",
        "examples": [["a", "b", "c"]],
    },
    "temperature": {
        "type": "number",
        "minimum": 0.05,
        "maximum": 10,
        "description": "small for votes that agree, large for even shares",
        "examples": [0.7, 0.5, 0.4],
    },
}


def softmax_shares(
    rng: np.random.Generator, *, of: Sequence[np.ndarray], temperature: float = 0.5
) -> np.ndarray:
    scores = np.column_stack([standardize(score) for score in of])
    # Rounded, as the last bits of exp differ between machines.
    return np.round(softmax(scores / temperature, axis=1), 6)
