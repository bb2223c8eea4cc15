"""Tags of passages: certain tokens open one, which a number of the tokens after them belong to.

Difficulty: rises with `longest`, the tokens that a passage has at the most: what makes a token part
of one then stands farther from it. High for models that look at single tokens, which tell nothing.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "tokens"
TASKS = ["sequence_labelling"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/tokens_factor", "examples": ["token_sequence"]},
    "kinds": {
        "type": "array",
        "items": {"type": "string", "pattern": "^\\S+$"},
        "minItems": 1,
        "uniqueItems": True,
        "description": "kinds of passages",
    },
    "outside": {"type": "string", "pattern": "^\\S+$", "description": "tag of all other tokens"},
    "openers": {
        "type": "number",
        "minimum": 0.02,
        "maximum": 0.6,
        "description": "share of the different tokens that open a passage",
        "examples": [0.25, 0.3],
    },
    "longest": {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
        "description": "tokens in a passage at the most",
        "examples": [2, 3],
    },
}


def chunk_tags(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    kinds: Sequence[str] = ("NAME", "PLACE"),
    outside: str = "O",
    openers: float = 0.25,
    longest: int = 2,
) -> np.ndarray:
    known = sorted({token for tokens in of for token in tokens})
    chosen = rng.permutation(known)[: max(len(kinds), round(openers * len(known)))]
    opens = {
        str(token): (kinds[at % len(kinds)], int(rng.integers(1, longest + 1)))
        for at, token in enumerate(chosen)
    }
    found = np.empty(len(of), dtype=object)
    for row, tokens in enumerate(of):
        tags: list[str] = []
        kind, left = outside, 0
        for token in tokens:
            if left:
                tags.append(kind)
                left -= 1
            else:
                tags.append(outside)
                kind, left = opens.get(token, (outside, 0))
        found[row] = tuple(tags)
    return found
