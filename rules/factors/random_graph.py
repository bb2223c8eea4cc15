"""A graph whose edges fall at random, the more so between nodes of one group or near hubs.

`hubs`, `closure` and `mixing` let number factors show in the structure: graphs of the same numbers
of nodes and edges then differ in how the edges lie. What no factor sets is the same for all graphs.

Difficulty: rises with the spread of `nodes`, since counts then say more about a graph's size than
about its structure, and falls with `degree` for `mixing` and `closure`.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.graphs import Graph, graph_array, hops, sorted_edges
from sandmle.runtime.scaling import stretch

YIELDS = "graph"
PARAMETERS = {
    "nodes": {
        "type": "array",
        "items": {"type": "integer", "minimum": 4, "maximum": 48},
        "minItems": 2,
        "maxItems": 2,
        "description": "fewest and most nodes",
        "examples": [[16, 20], [14, 24]],
    },
    "degree": {
        "type": "number",
        "minimum": 0.5,
        "maximum": 10,
        "description": "mean number of edges a node",
        "examples": [4, 3],
    },
    "hubs": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how much the edges gather at few nodes",
    },
    "closure": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how often two neighbours of a node are joined themselves",
    },
    "mixing": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how freely edges run between groups, from hardly to at will",
    },
    "groups": {"type": "integer", "minimum": 1, "maximum": 6, "description": "groups of nodes"},
    "near": {
        "$ref": "#/$defs/number_factor",
        "description": "shown as how near to each other the marked nodes lie; any two by default",
    },
    "kinds": {
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "minItems": 1,
        "description": "what a node may be, at random",
    },
}


def random_graph(
    rng: np.random.Generator,
    samples: int,
    *,
    nodes: Sequence[int] = (16, 24),
    degree: float = 4.0,
    hubs: np.ndarray | None = None,
    closure: np.ndarray | None = None,
    mixing: np.ndarray | None = None,
    groups: int = 1,
    near: np.ndarray | None = None,
    kinds: Sequence[str] = ("node",),
) -> np.ndarray:
    if nodes[1] < nodes[0]:
        raise ValueError(f"nodes from {nodes[0]} to {nodes[1]}: the fewest come first")
    counts = rng.integers(nodes[0], nodes[1], samples, endpoint=True)
    most = int(counts.max())
    gather = np.zeros(samples) if hubs is None else stretch(hubs, 0.0, 1.6)
    closing = np.zeros(samples) if closure is None else stretch(closure, -3.0, 3.5)
    between = np.ones(samples) if mixing is None else stretch(mixing, 0.02, 1.0)
    # The attraction of nodes follows a power of their order, as in scale-free networks.
    pull = (np.arange(most) + 1.0) ** -gather[:, None]
    group = rng.integers(0, groups, (samples, most))
    same = group[:, :, None] == group[:, None, :]
    weight = pull[:, :, None] * pull[:, None, :] * np.where(same, 1.0, between[:, None, None])
    is_node = np.arange(most) < counts[:, None]
    weight *= is_node[:, :, None] & is_node[:, None, :] & np.triu(np.ones((most, most), bool), 1)
    pairs = counts * (counts - 1) // 2
    wanted = np.clip(np.rint(degree * counts / 2).astype(int), 1, pairs)
    joined = np.zeros((samples, most, most), dtype=bool)
    # In rounds, so that later edges can close triangles over earlier ones.
    for done, until in ((0.0, 0.5), (0.5, 0.75), (0.75, 1.0)):
        open_triads = np.minimum((joined | joined.swapaxes(1, 2)).astype(float) @ joined, 1.0)
        open_triads = np.maximum(open_triads, open_triads.swapaxes(1, 2))
        lure = weight * np.exp(closing[:, None, None] * open_triads)
        number = np.floor(wanted * until).astype(int) - np.floor(wanted * done).astype(int)
        joined |= _drawn_pairs(rng, np.where(joined, 0.0, lure), number)
    marks = _marked_nodes(rng, joined | joined.swapaxes(1, 2), is_node, near)
    found = []
    for index, count in enumerate(counts):
        order = rng.permutation(count)
        labels = np.array(kinds, dtype=str)[rng.integers(0, len(kinds), count)]
        edges = sorted_edges(order[np.argwhere(joined[index])])
        first, second = order[marks[index]]
        found.append(Graph(labels, edges, np.zeros((count, 3)), (int(first), int(second))))
    return graph_array(found)


def _drawn_pairs(rng: np.random.Generator, weight: np.ndarray, number: np.ndarray) -> np.ndarray:
    """`number` (samples,) pairs of each graph, drawn without replacement by `weight`, as a mask.

    By the largest of log weights with Gumbel noise (Efraimidis and Spirakis 2006).
    """
    flat = weight.reshape(len(weight), -1)
    with np.errstate(divide="ignore"):
        key = np.log(flat) + rng.gumbel(size=flat.shape)
    falling = -np.sort(-key, axis=1)
    least = falling[np.arange(len(flat)), np.maximum(number, 1) - 1]
    chosen = (key >= least[:, None]) & (flat > 0) & (number > 0)[:, None]
    return np.asarray(chosen.reshape(weight.shape))


def _marked_nodes(
    rng: np.random.Generator, joined: np.ndarray, is_node: np.ndarray, near: np.ndarray | None
) -> np.ndarray:
    """Two nodes of each graph that no edge joins where there are such, (samples, 2)."""
    samples, most = is_node.shape
    distance = hops(joined.astype(float)) + 0.9 * rng.random((samples, most, most))
    may = is_node[:, :, None] & is_node[:, None, :] & np.triu(np.ones((most, most), bool), 1)
    apart = may & ~joined
    may = np.where(apart.any(axis=(1, 2), keepdims=True), apart, may).reshape(samples, -1)
    share = rng.random(samples) if near is None else stretch(near, 1.0, 0.0)
    key = distance.reshape(samples, -1) if near is not None else rng.random(may.shape)
    key = np.where(np.isfinite(key), key, 1e6 + rng.random(may.shape))
    order = np.argsort(np.where(may, key, np.inf), axis=1)
    place = np.rint(share * (may.sum(axis=1) - 1)).astype(int)
    chosen = order[np.arange(samples), place]
    return np.column_stack(np.divmod(chosen, most))
