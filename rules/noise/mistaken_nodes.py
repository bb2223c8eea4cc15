"""Mistakes what nodes of a graph are: their labels are those of other nodes of the same graph.

Difficulty: rises with `rate` for rules on kinds of nodes; rules on edges alone do not mind.
"""

from dataclasses import replace

import numpy as np

from sandmle.runtime.graphs import graph_array

DISTURBS = "factor"
TAKES = ["graph"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of nodes",
        "examples": [0.03, 0.06],
    },
}


def mistaken_nodes(
    rng: np.random.Generator, values: np.ndarray, *, rate: float = 0.05
) -> np.ndarray:
    found = []
    for graph in values:
        is_wrong = rng.random(len(graph.labels)) < rate
        labels = np.where(is_wrong, rng.permutation(graph.labels), graph.labels)
        found.append(replace(graph, labels=labels))
    return graph_array(found)
