"""A short text of filler words in sentences, which says nothing by itself.

Difficulty: rises with `length` for content planted in it (by the observe word `text`): more words
that mean nothing stand around those that do.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "text"
PARAMETERS = {
    "length": {"type": "integer", "minimum": 4, "maximum": 400, "description": "mean words a text"},
    "spread": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.9,
        "description": "how far lengths stray from the mean, as a share of it",
    },
    "words": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 10,
        "description": "the filler words, the more frequent first",
    },
}


def document(
    rng: np.random.Generator,
    samples: int,
    *,
    length: int = 30,
    spread: float = 0.3,
    words: Sequence[str] = (
        "the", "and", "was", "with", "then", "again", "this", "after", "before", "some",
        "other", "usual", "noted", "same", "while", "near", "small", "report", "checked", "early",
        "late", "plain", "morning", "evening", "side", "under", "over", "between", "part", "whole",
        "number", "list", "sheet", "table", "corner", "routine", "visit", "round", "second", "next",
        "copy", "paper", "entry", "record", "team", "shift", "begun", "ended", "kept", "placed",
        "moved", "counted", "shown", "asked", "told", "seen", "mostly", "rather", "about", "along",
    ),
) -> np.ndarray:  # fmt: skip
    wanted = length * (1 + spread * rng.uniform(-1, 1, samples))
    lengths = np.maximum(3, np.rint(wanted)).astype(int)
    shares = 1.0 / np.arange(4, len(words) + 4)
    drawn = rng.choice(np.array(words, dtype=str), lengths.sum(), p=shares / shares.sum())
    breaks = rng.integers(6, 13, samples)
    texts = []
    for part, every in zip(np.split(drawn, np.cumsum(lengths)[:-1]), breaks, strict=True):
        sentences = [" ".join(part[at : at + every]) for at in range(0, len(part), every)]
        texts.append(" ".join(f"{sentence.capitalize()}." for sentence in sentences))
    return np.array(texts, dtype=str)
