"""How far apart the two nodes of a graph are that are farthest apart, in edges.

Only nodes that a way joins count: the diameter of the widest part.

Difficulty: high for models of counts; falls where graphs differ in their number of nodes.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency, hops

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
}


def longest_path(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    ways = hops(adjacency(of))
    return np.asarray(np.where(np.isfinite(ways), ways, 0.0).max(axis=(1, 2)))
