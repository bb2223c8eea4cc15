"""One column that shows a sequence of tokens, with a space between each two.

Difficulty: that of the tokens themselves.
"""

import numpy as np

WRITES = "columns"
MODALITY = "text"
SAYS = "a sequence of tokens"
MEANS = {
    "name": "a sequence of tokens, separated by spaces",
}
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {"$ref": "#/$defs/tokens_factor", "examples": ["token_sequence", "strand"]},
}


def token_column(rng: np.random.Generator, *, name: str, of: np.ndarray) -> dict[str, np.ndarray]:
    return {name: np.array([" ".join(tokens) for tokens in of], dtype=str)}
