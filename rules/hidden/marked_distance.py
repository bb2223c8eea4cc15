"""How many edges the shortest way between the two marked nodes has.

Without a way it counts as one edge more than any way could have.

Difficulty: high for models of counts; rises with the number of nodes.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency, between_marks, hops, node_counts

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
}


def marked_distance(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    found = between_marks(of, hops(adjacency(of)))
    return np.where(np.isfinite(found), found, node_counts(of).max())
