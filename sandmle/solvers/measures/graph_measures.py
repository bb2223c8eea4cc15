"""What can be measured on graphs, all graphs of a task at once.

By their adjacency (N, nodes, nodes); graphs of fewer nodes than the largest have rows of zeros.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from sandmle.solvers.measures.graphs import Graphs

#: Sizes of rings that are counted.
RING_SIZES = (3, 4, 5, 6, 7)


def raw_graph_columns(graphs: Graphs) -> pd.DataFrame:
    """Counts of nodes, edges and labels: what goes into a model without a look at the structure."""
    found = {"nodes": graphs.exists.sum(axis=1), "edges": graphs.joined.sum(axis=(1, 2)) / 2}
    for index, name in enumerate(graphs.labels):
        found[f"nodes that are {name}"] = (graphs.label == index).sum(axis=1)
    return pd.DataFrame(found).astype(float)


def shortest_ways(joined: np.ndarray) -> np.ndarray:
    """Edges on the shortest way between each two nodes, (N, n, n); infinite without a way."""
    ways = np.where(joined > 0, 1.0, np.inf)
    ways[:, np.arange(joined.shape[1]), np.arange(joined.shape[1])] = 0.0
    reached = (ways < 2).astype(np.float32)
    step = joined.astype(np.float32) + np.eye(joined.shape[1], dtype=np.float32)
    for length in range(2, joined.shape[1]):
        further = np.minimum(reached @ step, 1.0)
        is_new = further > reached
        if not is_new.any():
            break
        ways[is_new] = length
        reached = further
    return ways


def degree_measures(graphs: Graphs) -> dict[str, np.ndarray]:
    """How many neighbours the nodes have, and how they are spread over the nodes."""
    degree = graphs.joined.sum(axis=2)
    nodes = graphs.exists.sum(axis=1) + 1e-9
    falling = -np.sort(-degree, axis=1)
    total = degree.sum(axis=1) + 1e-9
    apart = np.where(graphs.exists, degree - (total / nodes)[:, None], 0.0)
    along = (graphs.joined @ degree[:, :, None])[:, :, 0]
    found = {
        "mean degree": total / nodes,
        "spread of degrees": np.sqrt((apart**2).sum(axis=1) / nodes),
        "share of the best joined node": falling[:, 0] / total,
        "leaves": (degree == 1).sum(axis=1),
        "share of leaves": (degree == 1).sum(axis=1) / nodes,
        "lone nodes": (graphs.exists & (degree == 0)).sum(axis=1),
        "degree of neighbours": (along.sum(axis=1)) / total,
        "likeness of neighbours' degrees": (degree * along).sum(axis=1)
        / (degree**3).sum(axis=1).clip(1),
        "edges beyond a tree": total / 2 - nodes,
    }
    for place in range(3):
        found[f"degree number {place + 1}"] = falling[:, place]
    for size in range(2, 5):
        found[f"nodes of degree {size}"] = (degree == size).sum(axis=1)
    return found


def way_measures(graphs: Graphs, ways: np.ndarray) -> dict[str, np.ndarray]:
    """How far apart nodes are, in how many parts the graph falls, and what holds it together."""
    pairs = np.isfinite(ways) & (ways > 0)
    length = np.where(pairs, ways, 0.0)
    counts, nodes = pairs.sum(axis=(1, 2)), graphs.exists.sum(axis=1)
    size = np.isfinite(ways).sum(axis=2) * graphs.exists
    farthest = length.max(axis=2)
    resistance = resistance_between(graphs.joined, ways)
    is_bridge = (graphs.joined > 0) & (np.abs(resistance - 1) < 1e-6)
    return {
        "longest way": farthest.max(axis=1),
        "mean way": length.sum(axis=(1, 2)) / np.maximum(counts, 1),
        "sum of ways": length.sum(axis=(1, 2)) / 2,
        "least eccentricity": np.where(graphs.exists, farthest, np.inf).min(axis=1),
        "parts": np.where(graphs.exists, 1 / np.maximum(size, 1), 0).sum(axis=1),
        "largest part": size.max(axis=1),
        "share of largest part": size.max(axis=1) / np.maximum(nodes, 1),
        "share of pairs with a way": counts / np.maximum(nodes * (nodes - 1), 1),
        "bridges": is_bridge.sum(axis=(1, 2)) / 2,
        "share of bridges": is_bridge.sum(axis=(1, 2)) / np.maximum(graphs.joined.sum((1, 2)), 1),
        "mean resistance": np.where(pairs, resistance, 0).sum((1, 2)) / np.maximum(counts, 1),
    }


def resistance_between(joined: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Resistance between each two nodes where every edge has 1; infinite without a way."""
    together = np.isfinite(ways)
    laplacian = np.eye(joined.shape[1]) * joined.sum(axis=2)[:, :, None] - joined
    inverse = np.linalg.inv(laplacian + together / together.sum(axis=2, keepdims=True))
    own = np.diagonal(inverse, axis1=1, axis2=2)
    found = own[:, :, None] + own[:, None, :] - 2 * inverse
    return np.where(together, found, np.inf)


def ring_measures(joined: np.ndarray) -> dict[str, np.ndarray]:
    """Triangles, squares and larger rings, and how often neighbours of a node are joined."""
    two = joined @ joined
    degree = joined.sum(axis=2)
    through = (two * joined).sum(axis=2) / 2
    open_pairs = degree * (degree - 1) / 2
    walks = (two**2).sum(axis=(1, 2))
    squares = (walks - 2 * (degree**2).sum(axis=1) + degree.sum(axis=1)) / 8
    shared = two * joined
    found = {
        "triangles": through.sum(axis=1) / 3,
        "closed triads": through.sum(axis=1) / np.maximum(open_pairs.sum(axis=1), 1),
        "mean closure": (through / np.maximum(open_pairs, 1)).sum(axis=1)
        / np.maximum((degree > 1).sum(axis=1), 1),
        "squares": squares,
        "edges in triangles": (shared > 0).sum(axis=(1, 2)) / 2,
        "most triangles at a node": through.max(axis=1),
    }
    ring = smallest_ring_sizes(joined)
    for size in RING_SIZES:
        found[f"rings of {size}"] = (ring == size).sum(axis=(1, 2)) / (2 * size)
    found["nodes in rings"] = (ring > 0).any(axis=2).sum(axis=1)
    return found


def smallest_ring_sizes(joined: np.ndarray) -> np.ndarray:
    """The size of the smallest ring through each edge, (N, n, n); 0 where there is none.

    Rings larger than the largest of RING_SIZES are not looked for.
    """
    inner, before = joined, -1.0
    while inner.sum() != before:
        before = inner.sum()
        inside = inner.sum(axis=2) > 1
        inner = inner * (inside[:, :, None] & inside[:, None, :])
    sample, first, second = np.nonzero(np.triu(inner))
    edge = np.arange(len(sample))
    without = inner[sample].astype(np.float32)
    without[edge, first, second] = without[edge, second, first] = 0
    size = np.zeros(len(sample))
    reached = np.zeros((len(sample), 1, joined.shape[1]), np.float32)
    reached[edge, 0, first] = 1
    for length in range(1, max(RING_SIZES)):
        reached = np.minimum(reached + reached @ without, 1)
        size[(size == 0) & (reached[edge, 0, second] > 0)] = length + 1
    found = np.zeros_like(joined)
    found[sample, first, second] = found[sample, second, first] = size
    return found


def spectrum_measures(graphs: Graphs) -> dict[str, np.ndarray]:
    """Eigenvalues of the adjacency and of the scaled Laplacian, and the best cut in two."""
    degree = graphs.joined.sum(axis=2)
    scale = 1 / np.sqrt(np.maximum(degree, 1))
    scaled = graphs.joined * scale[:, :, None] * scale[:, None, :]
    values, vectors = np.linalg.eigh(scaled)
    largest = np.linalg.eigvalsh(graphs.joined)[:, -1]
    second = vectors[:, :, -2] * scale
    crossing = graphs.joined * (second[:, :, None] * second[:, None, :] < 0)
    return {
        "spectral radius": largest,
        "spectral radius over degree": largest
        / (degree.sum(1) / np.maximum(graphs.exists.sum(1), 1) + 1e-9),
        "second eigenvalue": values[:, -2],
        "third eigenvalue": values[:, -3],
        "fourth eigenvalue": values[:, -4] if values.shape[1] > 3 else values[:, -3],
        "least eigenvalue": values[:, 0],
        "share of edges cut": crossing.sum(axis=(1, 2)) / np.maximum(degree.sum(axis=1), 1),
    }


def label_measures(graphs: Graphs) -> dict[str, np.ndarray]:
    """Which kinds of nodes are joined to which, and how well joined each kind is."""
    kinds = [(graphs.label == index).astype(float) for index in range(len(graphs.labels))]
    degree = graphs.joined.sum(axis=2)
    edges = np.maximum(graphs.joined.sum(axis=(1, 2)) / 2, 1)
    found: dict[str, np.ndarray] = {}
    same = np.zeros(len(degree))
    for one, other in combinations_with_replacement(range(len(kinds)), 2):
        between = (kinds[one][:, None, :] @ graphs.joined @ kinds[other][:, :, None])[:, 0, 0]
        between = between / 2 if one == other else between
        same += between if one == other else 0.0
        name = f"{graphs.labels[one]} and {graphs.labels[other]}"
        found[f"edges of {name}"] = between
        found[f"share of edges of {name}"] = between / edges
    for name, kind in zip(graphs.labels, kinds, strict=True):
        count = np.maximum(kind.sum(axis=1), 1)
        found[f"share of {name}"] = kind.sum(axis=1) / np.maximum(graphs.exists.sum(axis=1), 1)
        found[f"mean degree of {name}"] = (degree * kind).sum(axis=1) / count
        found[f"highest degree of {name}"] = (degree * kind).max(axis=1)
    if kinds:
        found["share of edges within a kind"] = same / edges
    return found


def place_measures(graphs: Graphs) -> dict[str, np.ndarray]:
    """How wide a graph that lies in space is, and how long its edges are."""
    if not graphs.places.shape[2]:
        return {}
    count = np.maximum(graphs.exists.sum(axis=1), 1)
    shown = graphs.places * graphs.exists[:, :, None]
    middle = shown.sum(axis=1, keepdims=True) / count[:, None, None]
    away = ((graphs.places - middle) ** 2).sum(axis=2) * graphs.exists
    length = distances_in_space(graphs.places) * graphs.joined
    edges = np.maximum(graphs.joined.sum(axis=(1, 2)), 1)
    found = {
        "radius": np.sqrt(away.sum(axis=1) / count),
        "farthest from the middle": np.sqrt(away.max(axis=1)),
        "mean length of edges": length.sum(axis=(1, 2)) / edges,
        "longest edge": length.max(axis=(1, 2)),
    }
    for axis in range(graphs.places.shape[2]):
        found[f"mean of coordinate {axis}"] = middle[:, 0, axis]
    return found


def distances_in_space(places: np.ndarray) -> np.ndarray:
    """Euclidean distances between each two nodes, (N, n, n)."""
    return np.asarray(np.linalg.norm(places[:, :, None] - places[:, None], axis=3))
