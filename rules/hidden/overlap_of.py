"""Where two masks overlap, or where one is without the other.

Difficulty: rises as the result shrinks against the masks; a pixel tells it where each mask shows
in a colour of its own (`layers`).
"""

import numpy as np

YIELDS = "mask"
PARAMETERS = {
    "first": {"$ref": "#/$defs/mask_factor", "examples": ["patches"]},
    "second": {"$ref": "#/$defs/mask_factor", "examples": ["patches", "ellipses"]},
    "how": {
        "enum": ["both", "first_only", "one_only"],
        "description": "what counts: both masks, the first without the second, exactly one",
        "examples": ["first_only", "both", "one_only"],
    },
}


def overlap_of(
    rng: np.random.Generator, *, first: np.ndarray, second: np.ndarray, how: str = "both"
) -> np.ndarray:
    return {"both": first & second, "first_only": first & ~second, "one_only": first ^ second}[how]
