"""A weighted sum of other rules, each on the same scale.

Difficulty: between those of its rules; what the easy ones explain is partial credit.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {
            "$ref": "#/$defs/rule",
            "examples": [
                {"kind": "sign_product"},
                {"kind": "ratio"},
                {"kind": "periodic"},
                {"kind": "lookup"},
                {"kind": "piecewise_regime"},
                {"kind": "rank_in_group"},
                {"kind": "seasonal"},
                {"kind": "weekday"},
            ],
        },
        "minItems": 2,
        "maxItems": 6,
        "description": "the rules",
        "examples": [["a", "b"]],
    },
    "weights": {
        "type": "array",
        "items": {"type": "number"},
        "description": "a weight for each rule, 1 where there is none",
    },
}


def blend(
    rng: np.random.Generator, *, of: Sequence[np.ndarray], weights: Sequence[float] = ()
) -> np.ndarray:
    shares = [*weights, *[1.0] * (len(of) - len(weights))]
    return sum(share * standardize(score) for share, score in zip(shares, of, strict=False))
