"""The text itself: what stands in a picture, or in a sentence before a word of it was lost.

Difficulty: that of the observe words which show the text less than whole.
"""

import numpy as np

YIELDS = "text"
TASKS = ["seq2seq"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/text_factor", "examples": ["sentence"]},
}


def verbatim(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    return of.copy()
