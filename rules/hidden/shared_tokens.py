"""How alike two sequences of tokens are: the share of all their tokens that both have.

Difficulty: high for models that look at each sequence by itself, which tells nothing; for those
that compare them, that of the observe words, which may show a token in several forms.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "left": {"$ref": "#/$defs/tokens_factor", "examples": ["token_sequence"]},
    "right": {"$ref": "#/$defs/tokens_factor", "examples": ["varied_tokens"]},
}


def shared_tokens(rng: np.random.Generator, *, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.array(
        [
            len(set(first) & set(second)) / max(len(set(first) | set(second)), 1)
            for first, second in zip(left, right, strict=True)
        ]
    )
