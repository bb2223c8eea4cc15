"""A tag for every token, for some tokens another one after, or before, certain neighbours.

Difficulty: rises with `ambiguous`, the share of tokens whose tag depends on a neighbour, and with
the number of different tokens; `either` side is harder than one.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "tokens"
TASKS = ["sequence_labelling"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/tokens_factor", "examples": ["token_sequence"]},
    "tags": {
        "type": "array",
        "items": {"type": "string", "pattern": "^\\S+$"},
        "minItems": 2,
        "uniqueItems": True,
        "description": "the tags",
    },
    "ambiguous": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of the different tokens whose tag depends on a neighbour",
        "examples": [0.5, 0.7, 0.9],
    },
    "side": {
        "enum": ["before", "after", "either"],
        "description": "the neighbour that matters; either: it is the one before for some tokens "
        "and the one after for others",
        "examples": ["before", "after", "either"],
    },
}


def tag_tokens(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    tags: Sequence[str] = ("A", "B", "C"),
    ambiguous: float = 0.5,
    side: str = "before",
) -> np.ndarray:
    known = sorted({token for tokens in of for token in tokens})
    count = len(known)
    usual = rng.permutation(np.arange(count) % len(tags))
    other = (usual + rng.integers(1, len(tags), count)) % len(tags)
    depends = rng.permutation(count) < round(ambiguous * count)
    turns_others = rng.permutation(count) < count / 2
    looks_after = np.full(count, side == "after")
    if side == "either":
        looks_after = rng.permutation(count) < count / 2
    place = {token: at for at, token in enumerate(known)}
    found = np.empty(len(of), dtype=object)
    for row, tokens in enumerate(of):
        seen = np.array([place[token] for token in tokens], dtype=int)
        turned = np.concatenate([[False], turns_others[seen], [False]])
        is_other = depends[seen] & np.where(looks_after[seen], turned[2:], turned[:-2])
        found[row] = tuple(tags[tag] for tag in np.where(is_other, other[seen], usual[seen]))
    return found
