"""Leaves edges of a graph out, before any observe word shows it: ties that nobody wrote down.

Difficulty: rises with `rate`, most for rules on ways and triangles, which one missing edge breaks.
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
        "maximum": 0.5,
        "description": "share of edges",
        "examples": [0.02, 0.05],
    },
}


def dropped_edges(
    rng: np.random.Generator, values: np.ndarray, *, rate: float = 0.05
) -> np.ndarray:
    kept = [graph.edges[rng.random(len(graph.edges)) >= rate] for graph in values]
    return graph_array(
        [replace(graph, edges=edges) for graph, edges in zip(values, kept, strict=True)]
    )
