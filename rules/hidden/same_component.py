"""Whether any way leads from one marked node to the other: 1 or 0.

Difficulty: high for models of counts; falls in graphs so sparse or so dense that the number of
edges tells. Balanced where about one pair in two is joined: a mean degree near 1.5.
"""

import numpy as np

from sandmle.runtime.graphs import adjacency, between_marks, hops

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
}


def same_component(rng: np.random.Generator, *, of: np.ndarray) -> np.ndarray:
    return np.isfinite(between_marks(of, hops(adjacency(of)))).astype(float)
