"""A strand: a long sequence of elements of a few kinds, such as the bases of a nucleic acid.

Difficulty: rises with the number of `kinds`, of which each is then seen more rarely.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "tokens"
PARAMETERS = {
    "kinds": {
        "type": "array",
        "items": {"type": "string", "pattern": "^\\S+$"},
        "minItems": 2,
        "maxItems": 30,
        "uniqueItems": True,
        "description": "what an element may be, each as often as the others",
        "examples": [["A", "C", "G", "U"], ["amb", "bor", "cyl", "dex", "elm"]],
    },
    "length": {
        "type": "integer",
        "minimum": 2,
        "maximum": 60,
        "description": "elements a sample",
        "examples": [24, 30],
    },
}


def strand(
    rng: np.random.Generator,
    samples: int,
    *,
    kinds: Sequence[str] = ("A", "C", "G", "U"),
    length: int = 24,
) -> np.ndarray:
    drawn = rng.integers(len(kinds), size=(samples, length))
    strands = np.empty(samples, dtype=object)
    strands[:] = [tuple(kinds[kind] for kind in row) for row in drawn]
    return strands
