"""A short text copied out in a notation: as runs of signs, backwards, doubled, or with gaps.

Difficulty: rises from `spaced` over `backwards` to `runs`, which counts equal neighbours.
"""

from itertools import groupby

import numpy as np

YIELDS = "text"
TASKS = ["seq2seq"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/text_factor", "examples": ["inscription"]},
    "notation": {
        "enum": ["spaced", "backwards", "runs"],
        "description": "spaced: aab is a a b; backwards: baa; runs: a2b",
        "examples": ["spaced", "backwards", "runs"],
    },
    "opening": {"type": "string", "description": "what every transcript begins with"},
}


def transcript(
    rng: np.random.Generator, *, of: np.ndarray, notation: str = "spaced", opening: str = ""
) -> np.ndarray:
    return np.array([opening + _in_notation(str(text), notation) for text in of], dtype=str)


def _in_notation(text: str, notation: str) -> str:
    if notation == "spaced":
        return " ".join(text)
    if notation == "backwards":
        return text[::-1]
    runs = [(sign, len(list(run))) for sign, run in groupby(text)]
    return "".join(f"{sign}{size}" if size > 1 else sign for sign, size in runs)
