"""What is read off graphs, against scipy and against what is known of small ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components, shortest_path

from sandmle.runtime.graphs import (
    Graph,
    adjacency,
    between_marks,
    graph_array,
    hops,
    node_counts,
    renumbered,
    resistances,
    smallest_rings,
    sorted_edges,
)


def graph(nodes: int, edges: list[tuple[int, int]], marks: tuple[int, int] = (0, 1)) -> Graph:
    labels = np.array([f"k{node}" for node in range(nodes)])
    places = np.column_stack([np.arange(nodes), np.zeros(nodes), np.zeros(nodes)]).astype(float)
    return Graph(labels, sorted_edges(np.array(edges).reshape(-1, 2)), places, marks)


def ring(size: int) -> list[tuple[int, int]]:
    return [(node, (node + 1) % size) for node in range(size)]


@pytest.fixture(scope="module")
def some() -> np.ndarray:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(40):
        nodes = int(rng.integers(4, 15))
        edges = np.argwhere(np.triu(rng.random((nodes, nodes)) < 0.22, 1))
        found.append(graph(nodes, [tuple(edge) for edge in edges.tolist()]))
    return graph_array(found)


def test_edges_stand_once_with_the_lower_node_first() -> None:
    edges = sorted_edges(np.array([[3, 1], [0, 2], [1, 3], [2, 0]]))
    assert edges.tolist() == [[0, 2], [1, 3]]


def test_hops_are_those_of_scipy(some: np.ndarray) -> None:
    joined = adjacency(some)
    assert node_counts(some).max() == joined.shape[1]
    for own, found in zip(joined, hops(joined), strict=True):
        np.testing.assert_array_equal(found, shortest_path(own, unweighted=True))


def test_resistances_follow_ohm_and_kirchhoff(some: np.ndarray) -> None:
    in_row = graph(4, [(0, 1), (1, 2)], marks=(0, 2))
    triangle, square = graph(4, ring(3)), graph(4, ring(4), marks=(0, 2))
    matrix = resistances(adjacency([in_row, triangle, square]))
    found = between_marks([in_row, triangle, square], matrix)
    np.testing.assert_allclose(found, [2.0, 2 / 3, 1.0])
    assert np.isinf(matrix[0, 0, 3])
    for own, resistance in zip(adjacency(some), resistances(adjacency(some)), strict=True):
        np.testing.assert_allclose(resistance, resistance.T)
        # Foster 1949: over the edges of each part they sum to its nodes less one.
        parts = connected_components(own)[0]
        total = np.where(own > 0, resistance, 0.0).sum() / 2
        assert total == pytest.approx(len(own) - parts, abs=1e-6)


def test_the_smallest_ring_through_an_edge() -> None:
    # A triangle and a pentagon that share the edge 0-1, and a tail.
    edges = [(0, 1), (1, 2), (2, 0), (1, 3), (3, 4), (4, 5), (5, 0), (5, 6)]
    found = smallest_rings(adjacency([graph(7, edges)]), most=6)[0]
    expected = {(0, 1): 3, (1, 2): 3, (0, 2): 3, (1, 3): 5, (3, 4): 5, (4, 5): 5, (0, 5): 5}
    assert {edge: found[edge] for edge in expected} == expected
    assert found[5, 6] == 0
    assert smallest_rings(adjacency([graph(7, edges)]), most=4)[0].max() == 3
    assert smallest_rings(adjacency([graph(3, [(0, 1)])]), most=6).max() == 0


def test_a_graph_by_other_numbers_is_the_same_graph() -> None:
    old = graph(4, [(0, 1), (1, 2), (2, 3)], marks=(0, 3))
    new = renumbered(old, np.array([2, 0, 3, 1]))
    assert new.labels.tolist() == ["k1", "k3", "k0", "k2"]
    assert new.places[:, 0].tolist() == [1, 3, 0, 2]
    assert new.edges.tolist() == [[0, 2], [0, 3], [1, 3]]
    assert new.marks == (2, 1)
