"""What a series has added up to at every step, while a share of it is lost: a filling, a charge.

Difficulty: rises with `memory` for models of single steps, which see only what was added last.
"""

import numpy as np
from scipy.signal import lfilter

YIELDS = "numbers"
PARAMETERS = {
    "of": {
        "$ref": "#/$defs/series_factor",
        "description": "what is added at every step",
        "examples": ["autoregressive", "pulses"],
    },
    "memory": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share that is kept from one step to the next; 1 where nothing is lost",
        "examples": [0.6, 0.75, 0.9],
    },
    "gain": {
        "$ref": "#/$defs/number_factor",
        "description": "how much of what is added arrives, from half to one and a half by sample",
    },
}


def leaky_sum(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    memory: float = 0.8,
    gain: np.ndarray | None = None,
) -> np.ndarray:
    share = 1.0 if gain is None else 1 + 0.5 * np.tanh((gain - gain.mean()) / (gain.std() or 1.0))
    added = of * np.broadcast_to(share, len(of))[:, None]
    return np.asarray(lfilter([1.0], [1.0, -memory], added, axis=1))
