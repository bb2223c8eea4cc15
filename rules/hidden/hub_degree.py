"""How many neighbours the best joined node of a graph has.

Difficulty: middling; counting how often each node is named is all it takes, and models of rows and
totals do not.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
}


def hub_degree(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    return np.asarray(adjacency(of).sum(axis=2).max(axis=1))
