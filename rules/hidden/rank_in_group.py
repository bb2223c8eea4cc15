"""The rank of a number among the samples of its own group, from 0 to 1.

Difficulty: rises with how far the groups' own levels differ, `between` of the factor `grouped`
(share of the way from chance to the true feature that the best raw model covers on 120 rows of 40
groups: between 1 .60, 2 .44, 4 .25).
"""

import numpy as np

from sandmle.runtime.scaling import fractions

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor", "examples": ["grouped"]},
    "group": {"$ref": "#/$defs/category_factor", "examples": ["group"]},
}


def rank_in_group(rng: np.random.Generator, *, of: np.ndarray, group: np.ndarray) -> np.ndarray:
    ranks = np.empty(len(of))
    for name in np.unique(group):
        ranks[group == name] = fractions(of[group == name])
    return ranks
