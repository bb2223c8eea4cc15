"""A code as it is read aloud in a language that nobody knows: a word for each of its signs.

Difficulty: rises with the number of different signs, whose names all have to be learned, and with
`places`, by which figures before others are followed by words for tens, hundreds and so on.
"""

import re

import numpy as np

from sandmle.runtime.alphabets import made_up_words

YIELDS = "text"
TASKS = ["seq2seq"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/text_factor", "examples": ["code_string"]},
    "places": {
        "type": "boolean",
        "description": "whether figures are read with their places: 42 as four tens two",
        "examples": [False, True],
    },
    "alphabet": {
        "enum": ["latin", "cyrillic", "greek", "devanagari", "tamil"],
        "description": "letters of the language",
        "examples": ["cyrillic"],
    },
}


def foreign_reading(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    places: bool = True,
    alphabet: str = "cyrillic",
) -> np.ndarray:
    signs = sorted({sign for text in of for sign in str(text) if not sign.isspace()})
    longest = max(len(run) for text in of for run in re.findall(r"\d+|$", str(text)))
    words = made_up_words(rng, len(signs) + longest, alphabet)
    names, powers = dict(zip(signs, words, strict=False)), words[len(signs) :]
    found = []
    for text in of:
        spoken: list[str] = []
        for piece in re.findall(r"\d+|\S", str(text)):
            for at, sign in enumerate(piece):
                spoken.append(names[sign])
                power = len(piece) - 1 - at
                if places and power:
                    spoken.append(powers[power])
        found.append(" ".join(spoken))
    return np.array(found, dtype=str)
