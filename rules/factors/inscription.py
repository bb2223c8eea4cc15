"""A short line of signs, in which a sign often stands several times in a row.

Difficulty: rises with the number of different `letters`, each of which is then seen more rarely.
"""

import numpy as np

YIELDS = "text"
PARAMETERS = {
    "letters": {
        "type": "string",
        "minLength": 2,
        "description": "the signs that are drawn from",
        "examples": ["abcdef", "abcdefgh", "abcdefghij"],
    },
    "length": {
        "type": "integer",
        "minimum": 1,
        "maximum": 16,
        "description": "signs a line at the most",
        "examples": [6, 7, 8],
    },
    "shortest": {
        "type": "integer",
        "minimum": 1,
        "maximum": 16,
        "description": "signs a line at the least",
    },
    "repeated": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.9,
        "description": "share of signs that are the same as the one before",
    },
}


def inscription(
    rng: np.random.Generator,
    samples: int,
    *,
    letters: str = "abcdefgh",
    length: int = 7,
    shortest: int = 4,
    repeated: float = 0.25,
) -> np.ndarray:
    if shortest > length:
        raise ValueError(f"the shortest line of {shortest} signs is longer than {length}")
    sizes = rng.integers(shortest, length + 1, samples)
    signs = rng.choice(np.array(list(letters), dtype=str), (samples, length))
    again = rng.random((samples, length)) < repeated
    for at in range(1, length):
        signs[:, at] = np.where(again[:, at], signs[:, at - 1], signs[:, at])
    return np.array(["".join(row[:size]) for row, size in zip(signs, sizes, strict=True)])
