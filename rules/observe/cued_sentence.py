"""A column of tokens and one of the sentences in which they stand, after a word for a category.

Difficulty: rises with the number of cues, each of which is then seen more rarely, and with `gap`,
the filler words between cue and token.
"""

from collections.abc import Sequence

import numpy as np

WRITES = "columns"
MODALITY = "text"
TASKS = ["seq2seq"]
SAYS = "a text and a token that stands in it"
MEANS = {
    "token": "a token of the text",
}
PARAMETERS = {
    "name": {"$ref": "#/$defs/name", "description": "name of the column of sentences"},
    "token": {"$ref": "#/$defs/name", "description": "name of the column of tokens"},
    "of": {
        "$ref": "#/$defs/text_factor",
        "description": "the token",
        "examples": ["written_amount"],
    },
    "sense": {
        "$ref": "#/$defs/category_factor",
        "description": "the category that the cue goes with; no cue when left out",
        "examples": ["category"],
    },
    "filler": {
        "$ref": "#/$defs/text_factor",
        "description": "the rest of the sentence",
        "examples": ["document"],
    },
    "cues": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 2,
        "description": "dealt out in turn to the levels of the category, sorted by name",
        "examples": [["some", "in", "number", "about", "since", "code"]],
    },
    "gap": {
        "type": "integer",
        "minimum": 0,
        "maximum": 4,
        "description": "filler words between cue and token, at the most",
    },
}


def cued_sentence(
    rng: np.random.Generator,
    *,
    name: str,
    of: np.ndarray,
    filler: np.ndarray,
    token: str = "token",
    sense: np.ndarray | None = None,
    cues: Sequence[str] = ("about", "since", "code", "nearly", "anno", "key"),
    gap: int = 0,
) -> dict[str, np.ndarray]:
    level, levels = np.zeros(len(of), dtype=int), 1
    if sense is not None:
        names, level = np.unique(sense, return_inverse=True)
        levels = len(names)
    if len(cues) < levels:
        raise ValueError(f"{len(cues)} cues for {levels} levels")
    sentences = []
    for written, place, document in zip(of, level, filler, strict=True):
        words = str(document).split()
        at = int(rng.integers(0, len(words)))
        between = int(rng.integers(0, gap + 1))
        words.insert(at + between, str(written))
        if sense is not None:
            words.insert(at, str(rng.choice(cues[place::levels])))
        sentences.append(" ".join(words))
    return {token: of.copy(), name: np.array(sentences, dtype=str)}
