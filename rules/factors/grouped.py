"""A number that every group has its own level of.

Difficulty: rises with `between` for rules that compare within a group (`rank_in_group`,
`demean_in_group`): the group's level then drowns what the rule looks at.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "group": {"$ref": "#/$defs/category_factor", "examples": ["group"]},
    "mean": {"type": "number", "description": "overall mean"},
    "between": {
        "type": "number",
        "minimum": 0,
        "description": "standard deviation of the groups' levels",
    },
    "within": {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "standard deviation of samples around their group's level",
    },
}


def grouped(
    rng: np.random.Generator,
    samples: int,
    *,
    group: np.ndarray,
    mean: float = 0.0,
    between: float = 2.0,
    within: float = 1.0,
) -> np.ndarray:
    names, member = np.unique(group, return_inverse=True)
    level = rng.normal(mean, between, len(names))
    return level[member] + rng.normal(0.0, within, samples)
