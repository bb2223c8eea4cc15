"""A second sequence of tokens that has some in common with a first one, now more and now fewer.

Difficulty: rises with the number of `words` that tokens are replaced by, as the replaced ones are
then told apart less easily from those that stay.
"""

import numpy as np

YIELDS = "tokens"
PARAMETERS = {
    "to": {"$ref": "#/$defs/tokens_factor", "examples": ["token_sequence"]},
    "most": {
        "type": "number",
        "minimum": 0.1,
        "maximum": 1,
        "description": "share of the tokens that the most alike samples have in common",
    },
}


def varied_tokens(
    rng: np.random.Generator, samples: int, *, to: np.ndarray, most: float = 1.0
) -> np.ndarray:
    known = sorted({token for tokens in to for token in tokens})
    kept = rng.uniform(0.0, most, samples)
    found = np.empty(samples, dtype=object)
    for row, tokens in enumerate(to):
        stays = rng.random(len(tokens)) < kept[row]
        others = rng.choice(known, len(tokens))
        found[row] = tuple(
            token if stay else str(other)
            for token, stay, other in zip(tokens, stays, others, strict=True)
        )
    return found
