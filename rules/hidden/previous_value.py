"""The value of a number at an earlier moment, of the same group where one is given.

The answer stands in another row, of the training or of the test set.

Difficulty: falls where the number is persistent in time, so that its present value tells the
earlier one; then rises with `lag` (share of the way from chance to the true feature that the best
raw model covers: persistence 0 .06; .7 at lag 1 .60, at lag 3 .25).
"""

import numpy as np

from sandmle.runtime.moments import histories

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "over": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "group": {"$ref": "#/$defs/category_factor"},
    "lag": {"type": "integer", "minimum": 1, "maximum": 10, "description": "samples to look back"},
}


def previous_value(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    over: np.ndarray,
    group: np.ndarray | None = None,
    lag: int = 1,
) -> np.ndarray:
    earlier = np.full(len(of), of.mean())
    for history in histories(over, group):
        earlier[history[lag:]] = of[history[: max(0, len(history) - lag)]]
    return earlier
