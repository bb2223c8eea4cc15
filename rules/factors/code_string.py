"""A short code: letters and digits after a pattern, such as a serial number or a plate.

Difficulty: rises with the number of `patterns` and of different `letters`.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "text"
PARAMETERS = {
    "patterns": {
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": 24},
        "minItems": 1,
        "description": "forms that a code may have: a stands for a letter, 9 for a digit, all else "
        "for itself",
        "examples": [["aaa-999"], ["aa-999-aa", "aaa-999"], ["aa-999-aa", "9999-aaa", "aa-99/99"]],
    },
    "letters": {
        "type": "string",
        "minLength": 2,
        "description": "the letters that are drawn from",
        "examples": ["abcdefgh", "abcdefghij", "abcdefghijkl"],
    },
}


def code_string(
    rng: np.random.Generator,
    samples: int,
    *,
    patterns: Sequence[str] = ("aa-999-aa", "aaa-99"),
    letters: str = "abcdefghij",
) -> np.ndarray:
    sources = {"a": list(letters), "9": list("0123456789")}
    codes = []
    for pattern in rng.choice(np.array(patterns, dtype=str), samples):
        codes.append(
            "".join(
                str(rng.choice(sources[sign])) if sign in sources else sign for sign in str(pattern)
            )
        )
    return np.array(codes, dtype=str)
