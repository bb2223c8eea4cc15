"""Adds edges to a graph that are not there, before any observe word shows it: ties by mistake.

Difficulty: rises with `rate`, most for rules on ways, bridges and components, which one false edge
joins.
"""

from dataclasses import replace

import numpy as np

from sandmle.runtime.graphs import graph_array, sorted_edges

DISTURBS = "factor"
TAKES = ["graph"]
PARAMETERS = {
    "rate": {
        "type": "number",
        "minimum": 0,
        "maximum": 0.5,
        "description": "edges added, as a share of those that there are",
        "examples": [0.02, 0.05],
    },
}


def stray_edges(rng: np.random.Generator, values: np.ndarray, *, rate: float = 0.05) -> np.ndarray:
    found = []
    for graph in values:
        number = int(rng.binomial(max(1, len(graph.edges)), rate))
        strays = rng.integers(0, len(graph.labels), (number, 2))
        strays = strays[strays[:, 0] != strays[:, 1]]
        edges = sorted_edges(np.concatenate([graph.edges.reshape(-1, 2), strays]))
        found.append(replace(graph, edges=edges))
    return graph_array(found)
