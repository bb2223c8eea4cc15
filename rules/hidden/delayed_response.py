"""How something responds to a series at every step: later, smoothed, and less and less the more.

The response is the hyperbolic tangent of a running mean of the series some steps earlier.

Difficulty: rises with `delay` for models of single steps, the faster the less persistent the series
is; `saturation` takes it from linear models.
"""

import numpy as np
from scipy.signal import lfilter

YIELDS = "numbers"
PARAMETERS = {
    "of": {"$ref": "#/$defs/series_factor", "examples": ["autoregressive"]},
    "delay": {
        "type": "integer",
        "minimum": 0,
        "maximum": 16,
        "description": "steps until the response begins; before, the series counts as its mean",
        "examples": [1, 2, 3],
    },
    "smoothing": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.95,
        "description": "share of the running mean that stays from one step to the next",
        "examples": [0.2, 0.4],
    },
    "saturation": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": 10,
        "description": "slope of the response for a standard deviation; small for a straight line",
        "examples": [0.5, 1, 1.5],
    },
}


def delayed_response(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    delay: int = 2,
    smoothing: float = 0.3,
    saturation: float = 1.0,
) -> np.ndarray:
    if delay >= of.shape[1]:
        raise ValueError(f"a delay of {delay} in series of {of.shape[1]} steps")
    earlier = np.roll((of - of.mean()) / (of.std() or 1.0), delay, axis=1)
    earlier[:, :delay] = 0.0
    smooth = lfilter([1 - smoothing], [1.0, -smoothing], earlier, axis=1)
    return np.tanh(saturation * smooth / (smooth.std() or 1.0))
