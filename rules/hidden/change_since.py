"""How far a number has risen since an earlier sample, of the same group where one is given.

Difficulty: rises where the number is persistent in time, so that its present value says little of
the change; `unsigned` makes it high at any setting (share of the way from chance to the true
feature that the best raw model covers on 150 rows: persistence 0 .61, .6 .31, .9 .12; unsigned
.13).
"""

import numpy as np

from sandmle.runtime.moments import histories

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "over": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "group": {"$ref": "#/$defs/history"},
    "lag": {
        "type": "integer",
        "minimum": 1,
        "maximum": 10,
        "description": "samples to look back",
        "examples": [1, 2, 3],
    },
    "unsigned": {"type": "boolean", "description": "whether a fall counts as a rise does"},
}


def change_since(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    over: np.ndarray,
    group: np.ndarray | None = None,
    lag: int = 1,
    unsigned: bool = False,
) -> np.ndarray:
    change = np.zeros(len(of))
    for history in histories(over, group):
        change[history[lag:]] = of[history[lag:]] - of[history[: max(0, len(history) - lag)]]
    return np.abs(change) if unsigned else change
