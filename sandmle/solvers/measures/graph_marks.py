"""What can be measured on two nodes of a graph that a row of the main table names."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sandmle.solvers.measures.graph_measures import (
    degree_measures,
    label_measures,
    place_measures,
    raw_graph_columns,
    resistance_between,
    ring_measures,
    shortest_ways,
    smallest_ring_sizes,
    spectrum_measures,
    way_measures,
)
from sandmle.solvers.measures.graphs import MOST_NODES, Graphs, grown

#: Longest way between marked nodes whose shape is measured, in edges.
LONGEST_WAY = 3
#: Share of rows whose numbers must be those of nodes, for a column to mark nodes.
MOST_KNOWN = 0.9


def graph_columns(graphs: Graphs, frame: pd.DataFrame) -> pd.DataFrame:
    """All that is measured on graphs; `frame` is the main table, which may mark two nodes."""
    marks = marked_columns(graphs, frame)
    if marks is not None:
        graphs = grown(graphs, marks.max(axis=1) + 1)
    ways = shortest_ways(graphs.joined)
    found = {
        **degree_measures(graphs),
        **way_measures(graphs, ways),
        **ring_measures(graphs.joined),
        **spectrum_measures(graphs),
        **label_measures(graphs),
        **place_measures(graphs),
    }
    if marks is not None:
        found |= mark_measures(graphs, ways, marks)
    columns = pd.concat([raw_graph_columns(graphs), pd.DataFrame(found)], axis=1)
    return columns.astype(float)


def marked_columns(graphs: Graphs, frame: pd.DataFrame) -> np.ndarray | None:
    """The first two columns of the main table that number nodes of the row's own graph, (N, 2).

    None without such. Few of them may be of no edge, and so unknown where no table has the nodes.
    """
    found = []
    row = np.arange(len(frame))
    for name in frame:
        values = pd.to_numeric(frame[name], errors="coerce")
        if (
            values.isna().any()
            or (values % 1 != 0).any()
            or not values.between(0, MOST_NODES - 1).all()
        ):
            continue
        node = np.minimum(values.to_numpy(int), graphs.exists.shape[1] - 1)
        if (graphs.exists[row, node] & (node == values)).mean() > MOST_KNOWN:
            found.append(values.to_numpy(int))
    if len(found) < 2 or (found[0] == found[1]).any():
        return None
    return np.column_stack(found[:2])


def mark_measures(graphs: Graphs, ways: np.ndarray, marks: np.ndarray) -> dict[str, np.ndarray]:
    """How the two marked nodes lie to each other, and what lies on the way between them."""
    row, (first, second) = np.arange(len(marks)), marks.T
    degree = graphs.joined.sum(axis=2)
    own, other = graphs.joined[row, first], graphs.joined[row, second]
    way = ways[row, first, second]
    is_there = np.isfinite(way)
    resistance = resistance_between(graphs.joined, ways)[row, first, second]
    ends = np.sort(np.column_stack([degree[row, first], degree[row, second]]), axis=1)
    beside = ((own + other) > 0) & (np.arange(own.shape[1]) != first[:, None])
    found = {
        "way between marks": np.where(is_there, way, ways.shape[1]),
        "a way between marks": is_there,
        "closeness of marks": np.where(is_there, 1 / np.maximum(way, 1), 0),
        "conductance of marks": np.where(
            np.isfinite(resistance), 1 / np.maximum(resistance, 1e-9), 0
        ),
        "common neighbours": (own * other).sum(axis=1),
        "rare common neighbours": (own * other / np.log(np.maximum(degree, 2))).sum(axis=1),
        "share of common neighbours": (own * other).sum(axis=1)
        / np.maximum(((own + other) > 0).sum(1), 1),
        "lower degree of marks": ends[:, 0],
        "higher degree of marks": ends[:, 1],
        "product of degrees of marks": ends[:, 0] * ends[:, 1],
        "part of first mark": np.isfinite(ways[row, first]).sum(axis=1),
        "part of second mark": np.isfinite(ways[row, second]).sum(axis=1),
    }
    through = ways[row, first] + ways[row, second] == way[:, None]
    through &= is_there[:, None] & graphs.exists
    near_way = (graphs.joined * through[:, :, None]).sum(axis=1) * ~through
    found["nodes on shortest ways"] = through.sum(axis=1)
    found["nodes beside the way"] = (near_way > 0).sum(axis=1)
    found["nodes beside the marks"] = beside.sum(axis=1)
    ring = smallest_ring_sizes(graphs.joined).max(axis=2) > 0
    found["nodes of the way in rings"] = (through & ring).sum(axis=1)
    for index, name in enumerate(graphs.labels):
        is_kind = graphs.label == index
        found[f"marks that are {name}"] = is_kind[row, first] + is_kind[row, second] * 1.0
        found[f"{name} on the way"] = (through & is_kind).sum(axis=1)
        found[f"{name} beside the way"] = ((near_way > 0) & is_kind).sum(axis=1)
    if graphs.places.shape[2]:
        found |= shape_of_way(graphs, ways, marks)
    return found


def shape_of_way(graphs: Graphs, ways: np.ndarray, marks: np.ndarray) -> dict[str, np.ndarray]:
    """Distance of the marks in space; angle of a way of two edges, torsion of one of three."""
    row, (first, second) = np.arange(len(marks)), marks.T
    gap = graphs.places[row, first] - graphs.places[row, second]
    distance = np.linalg.norm(gap, axis=1)
    found = {
        "distance of marks": distance,
        "inverse distance of marks": 1 / np.maximum(distance, 1e-6) ** 3,
        "cosine of angle": np.zeros(len(marks)),
        "cosine of torsion": np.zeros(len(marks)),
    }
    for sample, (start, end) in enumerate(marks):
        length = ways[sample, start, end]
        if not 2 <= length <= LONGEST_WAY:
            continue
        way = [start]
        while way[-1] != end:
            closer = ways[sample, end] == ways[sample, end, way[-1]] - 1
            way.append(int(np.flatnonzero(closer & (graphs.joined[sample, way[-1]] > 0))[0]))
        steps = np.diff(graphs.places[sample, way], axis=0)
        if length == 2:
            found["cosine of angle"][sample] = -_cosine(steps[0], steps[1])
        elif steps.shape[1] == 3:
            normals = np.cross(steps[:2], steps[1:])
            found["cosine of torsion"][sample] = _cosine(normals[0], normals[1])
    found["squared cosine of torsion"] = found["cosine of torsion"] ** 2
    return found


def _cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other) + 1e-12))
