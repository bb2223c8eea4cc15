"""One column of sentences, from each of which a word is missing: never the first or the last.

Difficulty: rises with `removed`, the words that are missing; their neighbours tell which they are.
"""

import numpy as np

WRITES = "columns"
MODALITY = "text"
TASKS = ["seq2seq"]
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "of": {"$ref": "#/$defs/text_factor", "examples": ["sentence"]},
    "removed": {
        "type": "integer",
        "minimum": 1,
        "maximum": 3,
        "description": "words that are missing",
        "examples": [1],
    },
}


def gapped_sentence(
    rng: np.random.Generator, *, name: str, of: np.ndarray, removed: int = 1
) -> dict[str, np.ndarray]:
    shown = []
    for text in of:
        words = str(text).split(" ")
        inner = np.arange(1, len(words) - 1)
        lost = set(rng.permutation(inner)[:removed].tolist())
        shown.append(" ".join(word for at, word in enumerate(words) if at not in lost))
    return {name: np.array(shown, dtype=str)}
