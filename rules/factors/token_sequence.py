"""A sequence of tokens: the words of a message, the steps of a dance, the gestures of a signer.

Difficulty: rises with the size of the vocabulary, of which each token is then seen more rarely, and
with `unevenness`, which leaves few samples of the rare ones.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.alphabets import vocabulary_of

YIELDS = "tokens"
PARAMETERS = {
    "words": {
        "description": "the tokens, or how many to make up",
        "anyOf": [
            {
                "type": "array",
                "items": {"type": "string", "pattern": "^\\S+$"},
                "minItems": 2,
                "uniqueItems": True,
            },
            {"type": "integer", "minimum": 2, "maximum": 2000},
        ],
        "examples": [16, 24, 36],
    },
    "length": {
        "type": "integer",
        "minimum": 1,
        "maximum": 60,
        "description": "tokens a sample at the most",
        "examples": [10, 12],
    },
    "shortest": {
        "type": "integer",
        "minimum": 1,
        "maximum": 60,
        "description": "tokens a sample at the least; as many as at the most when left out",
    },
    "unevenness": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "how fast the frequency of a token falls with its rank; 0 for all alike",
    },
    "alphabet": {
        "enum": ["latin", "cyrillic", "greek", "devanagari", "tamil"],
        "description": "letters of tokens that are made up",
        "examples": ["latin"],
    },
}


def token_sequence(
    rng: np.random.Generator,
    samples: int,
    *,
    words: Sequence[str] | int = 24,
    length: int = 10,
    shortest: int | None = None,
    unevenness: float = 0.3,
    alphabet: str = "latin",
) -> np.ndarray:
    if shortest is not None and shortest > length:
        raise ValueError(f"the shortest of {shortest} tokens is longer than {length}")
    known = vocabulary_of(rng, words, alphabet)
    shares = 1.0 / np.arange(1, len(known) + 1) ** unevenness
    lengths = rng.integers(length if shortest is None else shortest, length + 1, samples)
    drawn = rng.choice(known, int(lengths.sum()), p=shares / shares.sum())
    found = np.empty(samples, dtype=object)
    for row, part in enumerate(np.split(drawn, np.cumsum(lengths)[:-1])):
        found[row] = tuple(str(word) for word in part)
    return found
