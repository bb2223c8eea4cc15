"""The name, among those of a sample, whose number is the largest, or the smallest.

Difficulty: rises with the number of names; high for models that look for words around an answer, as
the numbers have to be compared.
"""

import numpy as np

YIELDS = "span"
TASKS = ["extractive_qa"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/tokens_factor", "examples": ["slot_values"]},
    "by": {"$ref": "#/$defs/numbers_factor", "examples": ["item_values"]},
    "which": {"enum": ["largest", "smallest"], "examples": ["largest", "smallest"]},
}


def extreme_span(
    rng: np.random.Generator, *, of: np.ndarray, by: np.ndarray, which: str = "largest"
) -> np.ndarray:
    fewest = min(len(names) for names in of)
    if by.shape[1] > fewest:
        raise ValueError(f"{by.shape[1]} numbers, but {fewest} names")
    place = by.argmax(axis=1) if which == "largest" else by.argmin(axis=1)
    return np.array([names[at] for names, at in zip(of, place, strict=True)], dtype=str)
