"""How far apart two nodes of a graph are on average, in edges.

Only pairs that a way joins count. Of a cascade this is its structural virality (Goel et al. 2016):
low for a broadcast, high for what went from hand to hand.

Difficulty: high for models of counts; falls where graphs differ in their number of nodes.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency, hops

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
}


def mean_distance(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    ways = hops(adjacency(of))
    is_pair = np.isfinite(ways) & (ways > 0)
    total = np.where(is_pair, ways, 0.0).sum(axis=(1, 2))
    return np.asarray(total / np.maximum(is_pair.sum(axis=(1, 2)), 1))
