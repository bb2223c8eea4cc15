"""Graphs are found in tables, and measured as anybody would count on paper."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from sandmle.solvers.measures.graph_marks import graph_columns, marked_columns
from sandmle.solvers.measures.graph_measures import (
    degree_measures,
    raw_graph_columns,
    smallest_ring_sizes,
)
from sandmle.solvers.measures.graphs import Graphs, find_graphs

IDS = ["k1", "k2"]
#: k1: a triangle with a tail of two edges. k2: a square.
EDGES = pd.DataFrame(
    {
        "id": ["k1"] * 5 + ["k2"] * 4,
        "a": [1, 0, 2, 3, 4, 3, 1, 0, 2],
        "b": [0, 2, 1, 2, 3, 0, 2, 1, 3],
    }
)
NODES = pd.DataFrame(
    {
        "id": ["k1"] * 5 + ["k2"] * 4,
        "x": [0.0, 1, 0, 0, 0, 0, 1, 1, 0],
        "y": [0.0, 0, 1, 2, 3, 0, 0, 1, 1],
        "atom": [0, 1, 2, 3, 4, 0, 1, 2, 3],
        "element": ["C", "O", "C", "C", "N", "C", "O", "C", "O"],
    }
)


def found(tables: Mapping[str, pd.DataFrame]) -> Graphs:
    graphs = find_graphs(tables, "id", IDS)
    assert graphs is not None
    return graphs


def test_a_list_of_edges_is_a_graph() -> None:
    graphs = found({"edges": EDGES})
    assert graphs.exists.sum(axis=1).tolist() == [5, 4]
    assert graphs.joined.sum(axis=(1, 2)).tolist() == [10, 8]
    assert (graphs.labels, graphs.tables) == ((), ("edges",))


def test_a_table_of_nodes_adds_labels_and_places() -> None:
    graphs = found({"atoms": NODES, "bonds": EDGES})
    assert set(graphs.tables) == {"atoms", "bonds"}
    assert sorted(graphs.labels) == ["C", "N", "O"]
    assert graphs.places[0, 4].tolist() == [0, 3]
    raw = raw_graph_columns(graphs)
    assert raw["nodes that are O"].tolist() == [1, 2]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"id": ["k1"] * 4, "step": [0, 1, 2, 3], "value": [5, 7, 9, 4]}),
        pd.DataFrame({"id": ["k1"] * 3, "day": [4, 4, 2], "amount": [1.5, 2.0, 3.5]}),
        pd.DataFrame({"id": ["k1"] * 3, "a": [1, 2, 1], "b": [2, 1, 3]}),
        pd.DataFrame({"id": ["k1"] * 2, "a": [3, 2], "b": [3, 1]}),
        pd.DataFrame({"id": ["k1"] * 2, "a": [3, 2], "b": [900, 1]}),
        pd.DataFrame({"id": ["k1"] * 2, "a": [3, 2]}),
    ],
)
def test_other_tables_are_no_graphs(table: pd.DataFrame) -> None:
    assert find_graphs({"table": table}, "id", IDS) is None


def test_measures_counted_by_hand() -> None:
    measured = graph_columns(found({"bonds": EDGES, "atoms": NODES}), pd.DataFrame(index=[0, 1]))
    assert np.isfinite(measured.to_numpy()).all()
    expected = {
        "nodes": [5, 4],
        "triangles": [1, 0],
        "squares": [0, 1],
        "rings of 3": [1, 0],
        "rings of 4": [0, 1],
        "bridges": [2, 0],
        "leaves": [1, 0],
        "degree number 1": [3, 2],
        "spread of degrees": [0.4**0.5, 0],
        "longest way": [3, 2],
        "mean way": [1.7, 4 / 3],
        "parts": [1, 1],
        "edges beyond a tree": [0, 0],
        "closed triads": [3 / 6, 0],
        "edges of C and O": [2, 4],
        "mean length of edges": [(1 + 1 + 2**0.5 + 1 + 1) / 5, 1],
        "spectral radius": [2.2143, 2],
    }
    for name, values in expected.items():
        assert measured[name].tolist() == pytest.approx(values, abs=1e-4), name


@pytest.mark.filterwarnings("error")
def test_degrees_that_are_all_alike_have_no_spread() -> None:
    for size in range(3, 60):
        nodes = np.arange(size)[::-1]
        ring = pd.DataFrame({"id": ["k1"] * size, "a": nodes, "b": (nodes + 1) % size})
        graphs = find_graphs({"edges": ring}, "id", ["k1"])
        assert graphs is not None
        assert degree_measures(graphs)["spread of degrees"].tolist() == pytest.approx([0], abs=1e-6)


def test_two_marked_nodes_and_the_way_between_them() -> None:
    graphs = found({"bonds": EDGES, "atoms": NODES})
    frame = pd.DataFrame({"speed": ["1.5", "2.5"], "one": ["4", "0"], "other": ["0", "2"]})
    marks = marked_columns(graphs, frame)
    assert marks is not None
    assert marks.tolist() == [[4, 0], [0, 2]]
    measured = graph_columns(graphs, frame)
    assert measured["way between marks"].tolist() == [3, 2]
    assert measured["common neighbours"].tolist() == [0, 2]
    assert measured["conductance of marks"].tolist() == pytest.approx([1 / (2 + 2 / 3), 1])
    assert measured["distance of marks"].tolist() == pytest.approx([3, 2**0.5])
    assert measured["O beside the way"].tolist() == [1, 0]
    assert measured["cosine of angle"].tolist()[0] == 0


def test_marks_that_no_edge_names_stand_alone() -> None:
    ids = [f"k{number}" for number in range(20)]
    edges = pd.DataFrame({"id": np.repeat(ids, 3), "a": [0, 2, 1] * 20, "b": [1, 1, 3] * 20})
    graphs = find_graphs({"edges": edges}, "id", ids)
    assert graphs is not None
    frame = pd.DataFrame({"one": [0] * 20, "other": [3] * 19 + [5]})
    measured = graph_columns(graphs, frame)
    assert measured["a way between marks"].tolist() == [1] * 19 + [0]
    assert measured["nodes"].tolist() == [4] * 19 + [6]


def test_rings_of_seven_are_the_largest_that_are_looked_for() -> None:
    joined = np.zeros((2, 8, 8))
    for size, row in ((7, 0), (8, 1)):
        for node in range(size):
            other = (node + 1) % size
            joined[row, node, other] = joined[row, other, node] = 1
    sizes = smallest_ring_sizes(joined)
    assert sizes[0].max() == 7
    assert sizes[1].max() == 0
