"""Replaces a share of the tags of sequences by other tags.

Difficulty: rises with `rate`.
"""

import numpy as np

DISTURBS = "labels"
TASKS = ["sequence_labelling"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "share of tags",
        "examples": [0.02, 0.05],
    },
}


def swapped_tags(rng: np.random.Generator, labels: np.ndarray, *, rate: float) -> np.ndarray:
    tags = sorted({tag for sequence in labels for tag in sequence})
    found = np.empty(len(labels), dtype=object)
    for row, sequence in enumerate(labels):
        hit = rng.random(len(sequence)) < rate
        shift = rng.integers(1, max(len(tags), 2), len(sequence))
        found[row] = tuple(
            tags[(tags.index(tag) + int(by)) % len(tags)] if is_hit else tag
            for tag, is_hit, by in zip(sequence, hit, shift, strict=True)
        )
    return found
