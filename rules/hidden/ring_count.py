"""How many rings of one size a graph has, each edge counted for the smallest ring through it.

Rings that share no edge count as 1 each; where rings share edges the number may be broken.

Difficulty: high for models of counts; falls where few graphs have rings of any other size, since
edges beyond the nodes then tell of rings.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency, smallest_rings

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
    "size": {
        "type": "integer",
        "minimum": 3,
        "maximum": 10,
        "description": "edges of a ring",
        "examples": [5, 6],
    },
}


def ring_count(rng: np.random.Generator, *, of: np.ndarray, size: int = 6) -> np.ndarray:
    rings = smallest_rings(adjacency(of), most=size)
    return np.asarray((rings == size).sum(axis=(1, 2)) / (2 * size))
