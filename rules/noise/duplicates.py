"""Reads a share of the samples as another one of their group: equal columns, labels of their own.

Give it the factor of a split by group, so that no copy stands on both sides of the split.

Difficulty: rises with `rate`: copies contradict each other, and what a copy hides can't be learnt.
"""

import numpy as np

DISTURBS = "columns"
PARAMETERS = {
    "group": {"$ref": "#/$defs/category_factor"},
    "rate": {"type": "number", "minimum": 0, "maximum": 0.5, "description": "share of samples"},
}


def duplicates(
    rng: np.random.Generator,
    columns: dict[str, np.ndarray],
    *,
    group: np.ndarray,
    rate: float = 0.1,
) -> dict[str, np.ndarray]:
    source = np.arange(len(group))
    for name in np.unique(group):
        members = np.flatnonzero(group == name)
        is_copy = rng.random(len(members)) < rate
        if 0 < is_copy.sum() < len(members):
            source[members[is_copy]] = rng.choice(members[~is_copy], int(is_copy.sum()))
    return {name: values[source] for name, values in columns.items()}
