"""How many triangles a graph has: nodes whose neighbours know each other.

Difficulty: high for models of counts, which see edges and no triangles; falls where graphs differ
in density, since dense ones have more triangles in any case.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
}


def triangle_count(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    joined = adjacency(of)
    return np.rint(np.einsum("sij,sji->s", joined @ joined, joined) / 6)
