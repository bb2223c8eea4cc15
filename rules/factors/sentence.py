"""A sentence in which every word is followed by one of a few that go with it.

Difficulty: rises with `choices`, the words that may follow one, and with the number of `words`:
a pair of neighbours is then seen more rarely.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.alphabets import vocabulary_of

YIELDS = "text"
PARAMETERS = {
    "words": {
        "description": "the words, or how many to make up",
        "anyOf": [
            {
                "type": "array",
                "items": {"type": "string", "pattern": "^\\S+$"},
                "minItems": 8,
                "uniqueItems": True,
            },
            {"type": "integer", "minimum": 8, "maximum": 500},
        ],
        "examples": [30, 40, 60],
    },
    "choices": {
        "type": "integer",
        "minimum": 1,
        "maximum": 8,
        "description": "words that may follow a word",
        "examples": [2, 3],
    },
    "length": {
        "type": "integer",
        "minimum": 3,
        "maximum": 30,
        "description": "words a sentence at the most; a third fewer at the least",
        "examples": [12, 14],
    },
    "alphabet": {
        "enum": ["latin", "cyrillic", "greek", "devanagari", "tamil"],
        "description": "letters of words that are made up",
        "examples": ["latin"],
    },
}


def sentence(
    rng: np.random.Generator,
    samples: int,
    *,
    words: Sequence[str] | int = 40,
    choices: int = 2,
    length: int = 9,
    alphabet: str = "latin",
) -> np.ndarray:
    known = vocabulary_of(rng, words, alphabet)
    # Every word follows as often as every other: each choice is a permutation of the words.
    follows = np.stack([rng.permutation(len(known)) for _ in range(choices)], axis=1)
    lengths = rng.integers(max(3, length - length // 3), length + 1, samples)
    turns = rng.integers(0, choices, (samples, length))
    at = rng.integers(0, len(known), samples)
    walked = np.empty((samples, length), dtype=int)
    for place in range(length):
        walked[:, place] = at
        at = follows[at, turns[:, place]]
    return np.array(
        [
            " ".join(known[index] for index in row[:size])
            for row, size in zip(walked, lengths, strict=True)
        ],
        dtype=str,
    )
