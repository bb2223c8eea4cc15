"""One column of documents in which the order of two cues shows a number.

Both cues stand in every text as often; where the number is above its median, the first cue comes
before the second one of its pair.

Difficulty: high for models that count words, which see nothing; for those that see pairs of words,
rises with `gap`. A text with more `pairs` than one can be read from any of them.
"""

import numpy as np

WRITES = "columns"
MODALITY = "text"
PARAMETERS = {
    "name": {"$ref": "#/$defs/name"},
    "filler": {"$ref": "#/$defs/text_factor"},
    "order": {"$ref": "#/$defs/number_factor"},
    "first": {
        "type": "string",
        "minLength": 1,
        "description": "the cue that comes earlier where the number is high",
    },
    "second": {"type": "string", "minLength": 1, "description": "the other cue"},
    "pairs": {"type": "integer", "minimum": 1, "maximum": 4, "description": "pairs of cues a text"},
    "gap": {
        "type": "integer",
        "minimum": 0,
        "maximum": 8,
        "description": "filler words between the cues of a pair, at the most",
    },
}


def clauses(
    rng: np.random.Generator,
    *,
    name: str,
    filler: np.ndarray,
    order: np.ndarray,
    first: str,
    second: str,
    pairs: int = 1,
    gap: int = 4,
) -> dict[str, np.ndarray]:
    documents = []
    for document, is_first in zip(filler, order > np.median(order), strict=True):
        words = document.split()
        cues = (first, second) if is_first else (second, first)
        parts = np.array_split(np.arange(len(words)), pairs)
        for part in reversed(parts):
            at = int(part[0] + rng.integers(1, max(2, len(part) - gap)))
            words.insert(at + int(rng.integers(0, gap + 1)), cues[1])
            words.insert(at, cues[0])
        documents.append(" ".join(words))
    return {name: np.array(documents, dtype=str)}
