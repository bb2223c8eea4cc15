"""A graph that grows from one node, each new one joined to an earlier one: a rumour, an outbreak.

Difficulty: rises with the spread of `nodes`, since longer ways go with more nodes too.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.graphs import Graph, graph_array, sorted_edges
from sandmle.runtime.scaling import stretch

YIELDS = "graph"
PARAMETERS = {
    "nodes": {
        "type": "array",
        "items": {"type": "integer", "minimum": 4, "maximum": 48},
        "minItems": 2,
        "maxItems": 2,
        "description": "fewest and most nodes",
        "examples": [[20, 24], [14, 30]],
    },
    "depth": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how it grows, from all around the first node to from hand to hand",
    },
    "kinds": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 1,
        "description": "what a node may be, at random",
    },
}


def cascade(
    rng: np.random.Generator,
    samples: int,
    *,
    nodes: Sequence[int] = (14, 30),
    depth: np.ndarray | None = None,
    kinds: Sequence[str] = ("node",),
) -> np.ndarray:
    if nodes[1] < nodes[0]:
        raise ValueError(f"nodes from {nodes[0]} to {nodes[1]}: the fewest come first")
    counts = rng.integers(nodes[0], nodes[1], samples, endpoint=True)
    lean = rng.random(samples) if depth is None else stretch(depth, 0.0, 1.0)
    # A share u ** power of all earlier nodes: with power 3 near the first, 1/3 near the latest.
    power = 3.0 ** (1.0 - 2.0 * lean)
    found = []
    for count, exponent in zip(counts, power, strict=True):
        child = np.arange(1, count)
        parent = np.floor(child * rng.random(count - 1) ** exponent).astype(int)
        order = rng.permutation(count)
        labels = np.array(kinds, dtype=str)[rng.integers(0, len(kinds), count)]
        edges = sorted_edges(order[np.column_stack([parent, child])])
        marks = (int(order[0]), int(order[-1]))
        found.append(Graph(labels, edges, np.zeros((count, 3)), marks))
    return graph_array(found)
