"""How many edges of a graph hold it together: without any one of them a part is cut off.

Difficulty: high for models of counts; falls in sparse graphs, where most edges are bridges and
their number follows that of the edges.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency, resistances

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
}


def bridge_count(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    joined = adjacency(of)
    # The whole current between the ends of a bridge flows through it.
    is_bridge = (joined > 0) & (np.abs(resistances(joined) - 1.0) < 1e-6)
    return np.asarray(is_bridge.sum(axis=(1, 2)) / 2)
