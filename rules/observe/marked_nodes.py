"""Two columns with the numbers of the two nodes of a graph that a sample is about.

Either of them may come first.

Difficulty: none of its own; the numbers say nothing without the graph's edges.
"""

import numpy as np

WRITES = "columns"
MODALITY = "graph"
SAYS = "two marked nodes"
MEANS = {
    "one": "number of one marked node",
    "other": "number of the other marked node",
}
PARAMETERS = {
    "graph": {"$ref": "#/$defs/graph_factor"},
    "one": {"$ref": "#/$defs/name", "description": "name of the column of one node"},
    "other": {"$ref": "#/$defs/name", "description": "name of the column of the other node"},
}


def marked_nodes(
    rng: np.random.Generator, *, graph: np.ndarray, one: str = "from_node", other: str = "to_node"
) -> dict[str, np.ndarray]:
    marks = rng.permuted(np.array([own.marks for own in graph]), axis=1)
    # Whole numbers, as names are: noise on columns of measured numbers leaves them alone.
    return {one: marks[:, 0].astype(int), other: marks[:, 1].astype(int)}
