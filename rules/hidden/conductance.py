"""How well the two marked nodes are joined, over all ways between them.

The effective conductance where each edge is a resistor of 1: more ways and shorter ones raise it,
0 where there is none.

Difficulty: high for models of counts, and for the length of the shortest way alone; falls with the
spread of the number of edges.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency, between_marks, resistances

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
}


def conductance(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    return np.asarray(1.0 / between_marks(of, resistances(adjacency(of))))
