"""Graphs show what their factors say; rules on them agree with counts made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from sandmle.runtime.graphs import Graph, graph_array, sorted_edges
from tests.vocabulary.calling import call

SAMPLES = 150
RNG = np.random.default_rng(4)
SHOWN: dict[str, np.ndarray] = {name: RNG.normal(size=SAMPLES) for name in "ab"}
SHOWN["pair"] = RNG.choice(np.array(["1JHC", "2JHH", "3JHH", "3JHC"]), SAMPLES)

#: A triangle with a tail of two, and a node alone; the marks are the tail's end and the far corner.
TAILED = Graph(
    labels=np.array(["C", "O", "C", "C", "N", "C"]),
    edges=sorted_edges(np.array([[0, 1], [1, 2], [0, 2], [2, 3], [3, 4]])),
    places=np.zeros((6, 3)),
    marks=(4, 0),
)
#: A square, marked across.
SQUARE = Graph(
    labels=np.array(["C", "O", "C", "O"]),
    edges=sorted_edges(np.array([[0, 1], [1, 2], [2, 3], [0, 3]])),
    places=np.zeros((4, 3)),
    marks=(0, 2),
)
#: Two edges that do not touch, one mark on each.
APART = Graph(
    labels=np.array(["C", "C", "O", "C"]),
    edges=np.array([[0, 1], [2, 3]]),
    places=np.zeros((4, 3)),
    marks=(0, 2),
)


def drawn(**use: Any) -> np.ndarray:
    found: np.ndarray = call("factors", use, SAMPLES, factors=SHOWN)
    return found


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ({"kind": "triangle_count"}, [1, 0, 0]),
        ({"kind": "hub_degree"}, [3, 2, 1]),
        ({"kind": "bridge_count"}, [2, 0, 2]),
        ({"kind": "same_component"}, [1, 1, 0]),
        ({"kind": "marked_distance"}, [3, 2, 6]),
        ({"kind": "longest_path"}, [3, 2, 1]),
        ({"kind": "mean_distance"}, [1.7, 4 / 3, 1]),
        ({"kind": "ring_count", "size": 3}, [1, 0, 0]),
        ({"kind": "ring_count", "size": 4}, [0, 1, 0]),
        ({"kind": "neighbour_pairs", "one": "O", "other": "C"}, [2, 4, 1]),
        ({"kind": "neighbour_pairs", "one": "C", "other": "C"}, [2, 0, 1]),
        ({"kind": "conductance"}, [1 / (2 + 2 / 3), 1, 0]),
    ],
)
def test_rules_on_graphs_counted_by_hand(use: dict[str, Any], expected: list[float]) -> None:
    graphs = graph_array([TAILED, SQUARE, APART])
    found = call("hidden", {**use, "of": "graphs"}, factors={"graphs": graphs})
    np.testing.assert_allclose(found, expected)


def test_a_random_graph_has_the_edges_that_its_degree_asks_for() -> None:
    graphs = drawn(kind="random_graph", nodes=[10, 20], degree=3)
    counts = np.array([len(graph.labels) for graph in graphs])
    assert (counts.min(), counts.max()) == (10, 20)
    assert all(len(g.edges) == np.rint(1.5 * len(g.labels)) for g in graphs)


@pytest.mark.parametrize(
    ("dial", "rule", "least"),
    [
        ({"closure": "a"}, {"kind": "triangle_count"}, 0.6),
        ({"hubs": "a"}, {"kind": "hub_degree"}, 0.5),
        ({"near": "a"}, {"kind": "conductance"}, 0.4),
    ],
)
def test_factors_show_in_the_structure(
    dial: dict[str, str], rule: dict[str, Any], least: float
) -> None:
    graphs = drawn(kind="random_graph", nodes=[16, 20], degree=3.5, **dial)
    score = call("hidden", {**rule, "of": "graphs"}, factors={"graphs": graphs})
    assert spearmanr(score, SHOWN["a"]).statistic > least


def test_deep_cascades_are_trees_with_long_ways() -> None:
    graphs = drawn(kind="cascade", nodes=[20, 24], depth="a")
    assert all(len(graph.edges) == len(graph.labels) - 1 for graph in graphs)
    score = call("hidden", {"kind": "mean_distance", "of": "g"}, factors={"g": graphs})
    assert spearmanr(score, SHOWN["a"]).statistic > 0.6


def test_molecules_keep_valences_and_bond_lengths() -> None:
    graphs = drawn(kind="molecule", length=[3, 6], pair="pair")
    lengths = {"CC": 1.53, "CH": 1.09, "CN": 1.47, "CO": 1.43, "HN": 1.01, "HO": 0.96}
    for graph in graphs:
        degree = np.bincount(graph.edges.ravel(), minlength=len(graph.labels))
        for element, valence in (("H", {1}), ("O", {2}), ("N", {3}), ("C", {3, 4})):
            # A carbon of a flat ring shares a double bond and holds one hydrogen less.
            assert set(degree[graph.labels == element]) <= valence
        for first, second in graph.edges:
            kind = "".join(sorted(graph.labels[first] + graph.labels[second]))
            distance = np.linalg.norm(graph.places[first] - graph.places[second])
            assert distance == pytest.approx(lengths[kind], abs=2e-3)


def test_marked_atoms_are_what_the_level_says() -> None:
    graphs = drawn(kind="molecule", length=[3, 5], pair="pair")
    distance = call("hidden", {"kind": "marked_distance", "of": "g"}, factors={"g": graphs})
    assert distance.tolist() == [float(level[0]) for level in SHOWN["pair"]]
    for graph, level in zip(graphs, SHOWN["pair"], strict=True):
        assert [str(graph.labels[node]) for node in graph.marks] == list(level[2:])


def test_couplings_over_three_bonds_follow_the_torsion() -> None:
    def coupling(torsion: float) -> float:
        places = np.array(
            [[1.0, 0, 0], [0, 0, 0], [0, 0, 1.5], [np.cos(torsion), np.sin(torsion), 1.5]]
        )
        edges = np.array([[0, 1], [1, 2], [2, 3]])
        graph = Graph(np.array(["H", "C", "C", "H"]), edges, places, (0, 3))
        use = {"kind": "spin_coupling", "of": "g"}
        return float(call("hidden", use, factors={"g": graph_array([graph])})[0])

    assert coupling(0.0) == pytest.approx(7.76 - 1.10 + 1.40)
    assert coupling(np.pi / 2) == pytest.approx(1.40)
    assert coupling(np.pi) == pytest.approx(7.76 + 1.10 + 1.40)


def test_tables_hold_the_graph() -> None:
    shown = {"g": graph_array([TAILED, APART])}
    index, edges = call("observe", {"kind": "edge_list", "graph": "g"}, factors=shown)
    assert index.tolist() == [0] * 5 + [1] * 2
    ends = np.sort(np.column_stack([edges["one"], edges["other"]]), axis=1)
    assert sorted(map(tuple, ends[:5].tolist())) == sorted(map(tuple, TAILED.edges.tolist()))
    index, nodes = call(
        "observe", {"kind": "node_table", "graph": "g", "label": "element"}, factors=shown
    )
    assert nodes["element"].tolist() == [*TAILED.labels, *APART.labels]
    assert nodes["node"].tolist() == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3]
    marks = call("observe", {"kind": "marked_nodes", "graph": "g"}, factors=shown)
    assert {marks["from_node"][0], marks["to_node"][0]} == {4.0, 0.0}


def test_noise_on_graphs_keeps_to_its_rate() -> None:
    graphs = drawn(kind="random_graph", nodes=[20, 20], degree=4, kinds=["a", "b"])
    edges = 40 * SAMPLES

    def disturbed(kind: str, rate: float) -> np.ndarray:
        use = {"kind": kind, "rate": rate, "factor": "g"}
        found: np.ndarray = call("noise", use, graphs, factors={"g": graphs})
        return found

    fewer = sum(len(graph.edges) for graph in disturbed("dropped_edges", 0.2))
    assert fewer == pytest.approx(0.8 * edges, rel=0.03)
    more = disturbed("stray_edges", 0.2)
    assert 1.1 * edges < sum(len(graph.edges) for graph in more) < 1.2 * edges
    wrong = disturbed("mistaken_nodes", 0.3)
    changed = np.mean(
        [(new.labels != old.labels).mean() for new, old in zip(wrong, graphs, strict=True)]
    )
    assert changed == pytest.approx(0.15, abs=0.02)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        ({"kind": "random_graph", "nodes": [9, 4]}, "the fewest come first"),
        ({"kind": "cascade", "nodes": [9, 4]}, "the fewest come first"),
        ({"kind": "molecule", "length": [5, 4]}, "the fewest come first"),
        ({"kind": "molecule", "pair": "word"}, "not such as 3JHH"),
        ({"kind": "molecule", "pair": "far"}, "no pair of atoms '9JOO'"),
    ],
)
def test_graphs_that_cannot_be_drawn_are_refused(use: dict[str, Any], message: str) -> None:
    shown = {"word": np.full(5, "close"), "far": np.full(5, "9JOO")}
    with pytest.raises(ValueError, match=message):
        call("factors", use, 5, factors=shown)


def test_noise_on_numbers_leaves_the_names_of_nodes_alone() -> None:
    shown = {"graph": graph_array([TAILED, SQUARE, APART] * 20)}
    columns = call("observe", {"kind": "marked_nodes", "graph": "graph"}, factors=shown)
    for use in ({"kind": "outliers", "rate": 0.3}, {"kind": "sentinel", "rate": 0.3}):
        found = call("noise", use, dict(columns), factors=shown)
        for name, numbers in columns.items():
            assert (found[name] == numbers).all()
