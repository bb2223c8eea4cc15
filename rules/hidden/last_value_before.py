"""The value that a number had at the latest earlier event, of the same group where one is given.

Events are the samples where another number is high. The answer stands in another row.

Difficulty: very high for raw models (they cover .05 of the way from chance to the true feature);
for attentive ones it rises as `rate` falls, since the event then lies further back.
"""

import numpy as np

from sandmle.runtime.moments import histories
from sandmle.runtime.scaling import fractions

YIELDS = "number"
DRAFTED = False
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "event": {"$ref": "#/$defs/number_factor"},
    "over": {"$ref": "#/$defs/number_factor", "examples": ["timestamp"]},
    "group": {"$ref": "#/$defs/history"},
    "rate": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 1,
        "description": "share of samples that are events, those where `event` is highest",
        "examples": [0.9, 0.7, 0.5],
    },
}


def last_value_before(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    event: np.ndarray,
    over: np.ndarray,
    group: np.ndarray | None = None,
    rate: float = 0.5,
) -> np.ndarray:
    is_event = fractions(event) > 1 - rate
    found = np.full(len(of), of.mean())
    for history in histories(over, group):
        latest = of.mean()
        for now in history:
            found[now] = latest
            if is_event[now]:
                latest = of[now]
    return found
