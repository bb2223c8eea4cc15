"""Damages a share of the entries of text columns as a wrong decoding does: cafÃ© for café.

Entries without accents get some first, on their vowels.

Difficulty: rises with `rate`: every damaged word is a word of its own to a model that counts words.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.columns import text_columns

DISTURBS = "columns"
TAKES = ["text", "category"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of entries",
        "examples": [0.1, 0.2, 0.3],
    },
    "only": {"$ref": "#/$defs/columns", "description": "the text columns"},
}


def mojibake(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    only: Sequence[str],
    rate: float = 0.2,
) -> dict[str, np.ndarray]:
    accents = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
    disturbed = dict(columns)
    for name in text_columns(columns, only):
        values = columns[name]
        is_damaged = rng.random(len(values)) < rate
        entries = []
        for value, damaged in zip(values, is_damaged, strict=True):
            text = str(value)
            if damaged:
                accented = text if not text.isascii() else text.translate(accents)
                text = accented.encode().decode("latin-1")
            entries.append(text)
        disturbed[name] = np.array(entries, dtype=str)
    return disturbed
