"""Graphs: their form in memory, and what can be read off all graphs of a task at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected graph of n nodes, numbered from 0 in no telling order.

    `labels` (n,) say what each node is: an element, a role. `edges` int (m, 2) holds each edge
    once, the lower node first, in ascending order. `places` float (n, 3) are coordinates, all 0
    where the graph lies nowhere. `marks` are the two nodes that the sample is about.
    """

    labels: np.ndarray
    edges: np.ndarray
    places: np.ndarray
    marks: tuple[int, int]


def graph_array(graphs: Sequence[Graph]) -> np.ndarray:
    """An object array (samples,), whatever numpy would make of a list."""
    array = np.empty(len(graphs), dtype=object)
    array[:] = graphs
    return array


def sorted_edges(edges: np.ndarray) -> np.ndarray:
    """Edges (m, 2) as a Graph holds them: the lower node first, in ascending order, none twice."""
    ends = np.sort(np.asarray(edges, dtype=int).reshape(-1, 2), axis=1)
    return np.unique(ends, axis=0)


def renumbered(graph: Graph, number: np.ndarray) -> Graph:
    """The same graph with node i called `number[i]`; `number` (n,) is a permutation."""
    old = np.argsort(number)
    first, second = graph.marks
    return Graph(
        labels=graph.labels[old],
        edges=sorted_edges(number[graph.edges]),
        places=graph.places[old],
        marks=(int(number[first]), int(number[second])),
    )


def adjacency(graphs: Sequence[Graph] | np.ndarray) -> np.ndarray:
    """Who is joined to whom: float 0 or 1 (samples, most nodes, most nodes), symmetric.

    Rows beyond a graph's own nodes are 0.
    """
    most = max(len(graph.labels) for graph in graphs)
    joined = np.zeros((len(graphs), most, most))
    sample = np.repeat(np.arange(len(graphs)), [len(graph.edges) for graph in graphs])
    first, second = np.concatenate([graph.edges for graph in graphs]).astype(int).T
    joined[sample, first, second] = joined[sample, second, first] = 1.0
    return joined


def node_counts(graphs: Sequence[Graph] | np.ndarray) -> np.ndarray:
    """The number of nodes of each graph, int (samples,)."""
    return np.array([len(graph.labels) for graph in graphs])


def hops(joined: np.ndarray) -> np.ndarray:
    """Edges on the shortest way between each two nodes, (samples, n, n); infinite without a way.

    `joined` is an adjacency as above; all graphs are searched at once, a step at a time.
    """
    nodes = joined.shape[1]
    distance = np.where(np.eye(nodes, dtype=bool), 0.0, np.where(joined > 0, 1.0, np.inf))
    reached = (distance <= 1.0).astype(float)
    for step in range(2, nodes):
        further = np.minimum(reached @ joined + reached, 1.0)
        is_new = further > reached
        if not is_new.any():
            break
        distance[is_new] = step
        reached = further
    return distance


def between_marks(graphs: Sequence[Graph] | np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """The entries of `matrix` (samples, n, n) for the marked nodes of each graph, (samples,)."""
    first, second = np.array([graph.marks for graph in graphs]).T
    return np.asarray(matrix[np.arange(len(graphs)), first, second])


def resistances(joined: np.ndarray) -> np.ndarray:
    """Effective resistance between each two nodes where each edge has 1, (samples, n, n).

    Infinite between components. From the inverse of the Laplacian, made regular by a constant on
    each component (Klein and Randic 1993). 1 between the ends of an edge that is a bridge, less
    between those of any other edge.
    """
    together = np.isfinite(hops(joined))
    laplacian = np.eye(joined.shape[1]) * joined.sum(axis=2)[:, :, None] - joined
    shared = together / together.sum(axis=2, keepdims=True)
    inverse = np.linalg.inv(laplacian + shared)
    own = np.diagonal(inverse, axis1=1, axis2=2)
    found = own[:, :, None] + own[:, None, :] - 2.0 * inverse
    return np.where(together, np.round(found, 9), np.inf)


def smallest_rings(joined: np.ndarray, *, most: int) -> np.ndarray:
    """The length of the smallest ring through each edge, (samples, n, n).

    0 where it has more than `most` edges or where there is none. The way around an edge is the
    shortest one between its ends without it: all edges are walked around at once.
    """
    inner, before = joined, -1.0
    while inner.sum() != before:
        before = inner.sum()
        inside = inner.sum(axis=2) > 1
        inner = inner * (inside[:, :, None] & inside[:, None, :])
    samples, first, second = np.nonzero(np.triu(inner))
    row = np.arange(len(samples))
    without = inner[samples]
    without[row, first, second] = without[row, second, first] = 0.0
    around = np.zeros(len(samples))
    reached = np.zeros((len(samples), 1, joined.shape[1]))
    reached[row, 0, first] = 1.0
    for way in range(1, most):
        reached = np.minimum(reached + reached @ without, 1.0)
        around[(around == 0) & (reached[row, 0, second] > 0)] = way + 1.0
    found = np.zeros_like(joined)
    found[samples, first, second] = found[samples, second, first] = around
    return found
