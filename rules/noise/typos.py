"""Swaps two neighbouring letters in a share of the words of text columns.

Difficulty: rises with `rate` for models that count whole words; those that look at letters mind
less.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import text_columns

DISTURBS = "columns"
TAKES = ["text"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of words",
        "examples": [0.02, 0.05],
    },
    "only": {"$ref": "#/$defs/columns", "description": "the text columns"},
}


def typos(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    only: Sequence[str],
    rate: float = 0.1,
) -> dict[str, np.ndarray]:
    disturbed = dict(columns)
    for name in text_columns(columns, only):
        documents = []
        for document in columns[name]:
            words = str(document).split(" ")
            places = rng.random(len(words))
            hits = rng.random(len(words)) < rate
            documents.append(
                " ".join(
                    _swapped(word, place) if hit else word
                    for word, place, hit in zip(words, places, hits, strict=True)
                )
            )
        disturbed[name] = np.array(documents, dtype=str)
    return disturbed


def _swapped(word: str, place: float) -> str:
    """`word` with two neighbouring letters swapped, at a share `place` of its length."""
    at = int(place * (len(word) - 1))
    return word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
