"""How many edges of a graph join a node of one kind to a node of another.

Difficulty: rises with how evenly the kinds mix; counts of nodes of each kind tell it in part, and
the less so the more freely nodes of a kind may join one another.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/graph_factor"},
    "one": {"type": "string", "minLength": 1, "description": "label of one end"},
    "other": {"type": "string", "minLength": 1, "description": "label of the other end"},
}


def neighbour_pairs(
    rng: np.random.Generator, *, of: np.ndarray, one: str, other: str
) -> np.ndarray:
    counts = np.zeros(len(of))
    for index, graph in enumerate(of):
        first, second = graph.labels[graph.edges.T]
        fits = ((first == one) & (second == other)) | ((first == other) & (second == one))
        counts[index] = fits.sum()
    return counts
