"""A few names for each sample, one for each thing that one may ask about it.

Difficulty: rises with `longest`: answers of several words have more places where they may begin and
end. The names are drawn from so many words that knowing some of them says nothing of the others.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.alphabets import vocabulary_of

YIELDS = "tokens"
PARAMETERS = {
    "slots": {
        "type": "integer",
        "minimum": 2,
        "maximum": 8,
        "description": "names a sample",
        "examples": [3, 4],
    },
    "words": {
        "description": "the words that names are made of, or how many to make up",
        "anyOf": [
            {
                "type": "array",
                "items": {"type": "string", "pattern": "^\\S+$"},
                "minItems": 8,
                "uniqueItems": True,
            },
            {"type": "integer", "minimum": 8, "maximum": 2000},
        ],
        "examples": [400],
    },
    "longest": {
        "type": "integer",
        "minimum": 1,
        "maximum": 4,
        "description": "words a name at the most",
        "examples": [2, 3],
    },
    "alphabet": {
        "enum": ["latin", "cyrillic", "greek", "devanagari", "tamil"],
        "description": "letters of words that are made up",
        "examples": ["latin"],
    },
}


def slot_values(
    rng: np.random.Generator,
    samples: int,
    *,
    slots: int = 4,
    words: Sequence[str] | int = 400,
    longest: int = 2,
    alphabet: str = "latin",
) -> np.ndarray:
    known = vocabulary_of(rng, words, alphabet)
    if slots * longest > len(known):
        raise ValueError(f"{len(known)} words are too few for {slots} names of {longest} words")
    found = np.empty(samples, dtype=object)
    for row in range(samples):
        own = [known[at] for at in rng.choice(len(known), slots * longest, replace=False)]
        lengths = rng.integers(1, longest + 1, slots)
        found[row] = tuple(
            " ".join(own[slot * longest : slot * longest + size])
            for slot, size in enumerate(lengths)
        )
    return found
