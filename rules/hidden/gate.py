"""One rule where a condition holds, another where it does not.

Difficulty: about that of the harder branch, on half of the samples; rises where the branches
disagree.
"""

import numpy as np

from sandmle.runtime.scaling import fractions, standardize

YIELDS = "number"
PARAMETERS = {
    "when": {"$ref": "#/$defs/rule"},
    "then": {"$ref": "#/$defs/rule"},
    "otherwise": {"$ref": "#/$defs/rule"},
    "share": {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
        "description": "share of samples for which the condition holds: those it scores highest",
        "examples": [0.4, 0.5, 0.6],
    },
}


def gate(
    rng: np.random.Generator,
    *,
    when: np.ndarray,
    then: np.ndarray,
    otherwise: np.ndarray,
    share: float = 0.5,
) -> np.ndarray:
    return np.where(fractions(when) > 1 - share, standardize(then), standardize(otherwise))
