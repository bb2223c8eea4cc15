"""Whether an even or an odd number of several numbers lie below their medians.

No factor, and no set of factors short of all, says anything: models must look at all at once.

Difficulty: rises steeply with the number of factors in `of` (share of the way from chance to the
true feature that the best raw model covers on 120 rows: 2 .65, 3 .19, 4 .04).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import standardize

YIELDS = "number"
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 2,
        "maxItems": 5,
        "description": "the numbers; two make a sign_product",
        "examples": [["a", "b"]],
    },
}


def parity(rng: np.random.Generator, *, of: Sequence[np.ndarray]) -> np.ndarray:
    score = np.ones(len(of[0]))
    for values in of:
        score = score * standardize(values - np.median(values))
    return score
