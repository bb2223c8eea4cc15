"""The name, among those of a sample, that a question asks for.

Difficulty: rises with the number of levels asked for, and with the length of the text around.
"""

import numpy as np

YIELDS = "span"
TASKS = ["extractive_qa"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/tokens_factor", "examples": ["slot_values"]},
    "asked": {
        "$ref": "#/$defs/category_factor",
        "description": "its levels, sorted by name, ask for the first name, the second, and so on",
        "examples": ["category"],
    },
}


def span_of(rng: np.random.Generator, *, of: np.ndarray, asked: np.ndarray) -> np.ndarray:
    level = np.unique(asked, return_inverse=True)[1]
    return np.array(
        [names[place % len(names)] for names, place in zip(of, level, strict=True)], dtype=str
    )
