"""Hides a share of the tokens of sequences behind a sign: unread words, a hand out of sight.

Difficulty: rises with `rate`; what a hidden token was, and what its neighbours depend on, is lost.
"""

import numpy as np

DISTURBS = "factor"
TAKES = ["tokens"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of tokens",
        "examples": [0.02, 0.04],
    },
    "sign": {"type": "string", "pattern": "^\\S+$", "description": "what is seen instead"},
}


def masked_tokens(
    rng: np.random.Generator, values: np.ndarray, *, rate: float, sign: str = "..."
) -> np.ndarray:
    found = np.empty(len(values), dtype=object)
    for row, tokens in enumerate(values):
        hidden = rng.random(len(tokens)) < rate
        found[row] = tuple(
            sign if is_hidden else token for token, is_hidden in zip(tokens, hidden, strict=True)
        )
    return found
