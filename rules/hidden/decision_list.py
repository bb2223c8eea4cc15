"""The verdict of the first of several tests that applies; the tests stand in a fixed order.

A test applies where its number lies in an interval of its own; verdicts alternate, so that a late
test overrules nothing and an early one hides all that follow.

Difficulty: rises with the number of factors in `of` (share of the way from chance to the true
feature that the best raw model covers on 150 rows: 2 .98, 3 .81, 5 .71).
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "of": {
        "type": "array",
        "items": {"$ref": "#/$defs/number_factor"},
        "minItems": 1,
        "maxItems": 8,
        "description": "the numbers that are tested, the first test first",
        "examples": [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]],
    },
    "share": {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
        "description": "share of samples that one test applies to",
    },
}


def decision_list(
    rng: np.random.Generator, *, of: Sequence[np.ndarray], share: float = 0.4
) -> np.ndarray:
    verdict = np.full(len(of[0]), -1.0 if len(of) % 2 else 1.0)
    for place in reversed(range(len(of))):
        ranks = fractions(of[place])
        first = rng.uniform(0.0, 1 - share)
        margin = np.minimum(ranks - first, first + share - ranks) / share
        verdict = np.where(margin > 0, (1.0 if place % 2 == 0 else -1.0) * (1 + margin), verdict)
    return verdict
