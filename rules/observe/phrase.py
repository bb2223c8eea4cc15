"""One column of short phrases: tokens in any order, each in one of several forms.

Difficulty: rises with the number of `endings`, which hide from models of whole words that two
phrases have a token in common.
"""

from collections.abc import Sequence

import numpy as np

WRITES = "columns"
MODALITY = "text"
TASKS = ["binary", "multiclass", "multilabel", "ordinal", "preference", "ranking", "regression"]
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {"$ref": "#/$defs/tokens_factor", "examples": ["token_sequence", "varied_tokens"]},
    "endings": {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "description": "endings of tokens, one of which is drawn each time; an empty one for none",
        "examples": [[""], ["", "s", "ing"]],
    },
}


def phrase(
    rng: np.random.Generator, *, name: str, of: np.ndarray, endings: Sequence[str] = ("", "s")
) -> dict[str, np.ndarray]:
    phrases = []
    for tokens in of:
        order = rng.permutation(len(tokens))
        forms = rng.choice(np.array(endings, dtype=str), len(tokens))
        phrases.append(
            " ".join(f"{tokens[at]}{form}" for at, form in zip(order, forms, strict=True))
        )
    return {name: np.array(phrases, dtype=str)}
