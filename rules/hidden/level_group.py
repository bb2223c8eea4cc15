"""Which group of levels a category is in: a class of its own for each word, one for all the rest.

Difficulty: nothing to learn where the category stands in a column; where it is heard or seen, rises
with the number of `groups` and with levels of one group that do not resemble each other.
"""

from collections.abc import Sequence

import numpy as np

YIELDS = "category"
CLASSES = "groups"
PARAMETERS = {
    "of": {"$ref": "#/$defs/category_factor"},
    "groups": {
        "type": "array",
        "items": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "minItems": 2,
        "description": "the levels of each class, class 0 first",
    },
}


def level_group(
    rng: np.random.Generator, *, of: np.ndarray, groups: Sequence[Sequence[str]]
) -> np.ndarray:
    place = {level: index for index, levels in enumerate(groups) for level in levels}
    missing = sorted(set(of.tolist()) - set(place))
    if missing:
        raise ValueError(f"no group holds the level {missing[0]!r}")
    return np.array([place[level] for level in of.tolist()])
