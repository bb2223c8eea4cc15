"""The entity that a sample belongs to, among many: a patient, a shop, a machine.

Difficulty: for a group split, rises as `groups` falls, since each left-out group takes more with
it; for rules within a group (`rank_in_group`, `demean_in_group`), rises with `groups`, since each
then has fewer samples to be compared with.
"""

import numpy as np

YIELDS = "category"
PARAMETERS = {
    "groups": {"type": "integer", "minimum": 2, "maximum": 999, "description": "how many groups"},
    "prefix": {"type": "string", "description": "stands before the number in a group's name"},
    "unevenness": {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "0 for equal sizes; else the standard deviation of sizes over their mean",
    },
}


def group(
    rng: np.random.Generator,
    samples: int,
    *,
    groups: int,
    prefix: str = "G",
    unevenness: float = 0.0,
) -> np.ndarray:
    names = np.array([f"{prefix}{number:03d}" for number in range(1, groups + 1)])
    if not unevenness:
        return rng.permutation(names[np.arange(samples) % groups])
    sizes = rng.gamma(1 / unevenness**2, size=groups) + 1e-3
    return rng.choice(names, samples, p=sizes / sizes.sum())
