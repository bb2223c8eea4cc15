"""A second table with the edges of each sample's graph: the numbers of the nodes at their ends.

Edges stand in any order, and either end may come first.

Difficulty: none of its own; models that take the table's numbers as amounts learn little from it.
"""

import numpy as np

WRITES = "rows"
MODALITY = "graph"
FILE = "edges.csv"
SAYS = "a network with two marked nodes"
BESIDE = ["node_table", "marked_nodes"]
MEANS = {
    "one": "number of the node at one end of a link",
    "other": "number of the node at its other end",
}
PARAMETERS = {
    "graph": {"$ref": "#/$defs/graph_factor"},
    "one": {"$ref": "#/$defs/name", "description": "name of the column of one end"},
    "other": {"$ref": "#/$defs/name", "description": "name of the column of the other end"},
}


def edge_list(
    rng: np.random.Generator, *, graph: np.ndarray, one: str = "one", other: str = "other"
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    samples = np.repeat(np.arange(len(graph)), [len(own.edges) for own in graph])
    edges = np.concatenate([rng.permuted(rng.permutation(own.edges), axis=1) for own in graph])
    return samples, {one: edges[:, 0], other: edges[:, 1]}
