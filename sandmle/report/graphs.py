"""Graphs of samples, read from their tables of edges and nodes and laid out in the plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

#: More nodes than this nobody can see.
_MOST_NODES = 120

#: The drawing's size in the template, and its margin.
_SIDE, _MARGIN = 100.0, 7.0

#: Kinds of nodes that have a colour of their own.
KINDS = 6


@dataclass(frozen=True)
class SampleGraph:
    """One sample's graph: what each node is, the edges, coordinates (none or one a node), marks."""

    labels: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    places: tuple[tuple[float, ...], ...]
    marks: tuple[int, ...]

    @property
    def summary(self) -> str:
        """The graph in words: how many nodes, of which kinds, and how many edges."""
        counts = {label: self.labels.count(label) for label in sorted(set(self.labels)) if label}
        kinds = ", ".join(f"{label} {count}" for label, count in counts.items())
        words = f"{len(self.labels)} nodes, {len(self.edges)} edges"
        return f"{words}: {kinds}" if kinds else words


def sample_graph(
    tables: Sequence[Sequence[Mapping[str, str]]], cells: Mapping[str, str]
) -> SampleGraph | None:
    """The graph in the rows of one sample, without the id; None where no table lists edges.

    `tables` hold the sample's rows of each table, `cells` its row of the main table.
    """
    edges = next((found for rows in tables if (found := _edges(rows))), None)
    if edges is None:
        return None
    most = 1 + max(node for edge in edges for node in edge)
    labels, places = _nodes(tables, most)
    marked = [int(cell) for cell in cells.values() if cell.isdigit() and int(cell) < _MOST_NODES]
    size = max(most, len(labels), *(node + 1 for node in marked[:2] if len(marked) == 2), 0)
    labels = (*labels, *[""] * (size - len(labels)))
    marks = tuple(marked[:2]) if len(marked) == 2 else ()
    return SampleGraph(labels, edges, places if len(places) == size else (), marks)


def _edges(rows: Sequence[Mapping[str, str]]) -> tuple[tuple[int, int], ...]:
    """The rows' first two columns where they are ends of edges: small numbers that differ.

    A first column that rises from row to row counts steps.
    """
    if not rows or len(rows[0]) < 2:
        return ()
    names = list(rows[0])[:2]
    if not all(row[name].isdigit() for row in rows for name in names):
        return ()
    edges = tuple((int(row[names[0]]), int(row[names[1]])) for row in rows)
    distinct = len({frozenset(edge) for edge in edges})
    if len(edges) > 2 and all(sooner[0] < later[0] for sooner, later in pairwise(edges)):
        return ()
    if distinct < len(edges) or any(a == b or max(a, b) >= _MOST_NODES for a, b in edges):
        return ()
    return edges


def _nodes(
    tables: Sequence[Sequence[Mapping[str, str]]], most: int
) -> tuple[tuple[str, ...], tuple[tuple[float, ...], ...]]:
    """Labels and coordinates from the table of which a column numbers the nodes from 0."""
    for rows in tables:
        if len(rows) < most:
            continue
        counted = [str(number) for number in range(len(rows))]
        for key in rows[0]:
            if [row[key] for row in rows] != counted:
                continue
            names = [name for name in rows[0] if name != key]
            numbers = [name for name in names if all(_is_number(row[name]) for row in rows)]
            kinds = [name for name in names if name not in numbers]
            labels = tuple(row[kinds[0]] if kinds else "" for row in rows)
            if len(numbers) < 2:
                return labels, ()
            return labels, tuple(tuple(float(row[name]) for name in numbers[:3]) for row in rows)
    return (), ()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def drawing(graph: SampleGraph) -> dict[str, Any]:
    """Lines and points of an SVG drawing: `lines` as one path, `nodes` with x, y, kind, label."""
    from collections import Counter

    import numpy as np

    places = _plane(graph)
    low, span = places.min(axis=0), max(float(np.ptp(places, axis=0).max()), 1e-9)
    room = _SIDE - 2 * _MARGIN
    free = (room - room * np.ptp(places, axis=0) / span) / 2
    points = np.round(_MARGIN + free + room * (places - low) / span, 1)
    kinds = [label for label, _ in Counter(sorted(graph.labels)).most_common(KINDS)]
    return {
        "lines": " ".join(
            f"M{points[a][0]:g} {points[a][1]:g}L{points[b][0]:g} {points[b][1]:g}"
            for a, b in graph.edges
        ),
        "nodes": [
            {
                "x": f"{x:g}",
                "y": f"{y:g}",
                "label": label or str(node),
                "kind": kinds.index(label) if label in kinds else KINDS - 1,
                "marked": node in graph.marks,
            }
            for node, ((x, y), label) in enumerate(zip(points, graph.labels, strict=True))
        ],
        "summary": graph.summary,
    }


def _plane(graph: SampleGraph) -> Any:
    """Places in the plane, (nodes, 2): the widest view of coordinates, else edges of like length.

    Without coordinates by stress majorization from a circle (Gansner et al. 2004), distances being
    the edges on the shortest ways.
    """
    import numpy as np

    if graph.places:
        space = np.array(graph.places)
        space = space - space.mean(axis=0)
        return space @ np.linalg.svd(space, full_matrices=False)[2][:2].T
    nodes = len(graph.labels)
    way = np.full((nodes, nodes), np.inf)
    for a, b in graph.edges:
        way[a, b] = way[b, a] = 1.0
    np.fill_diagonal(way, 0.0)
    for middle in range(nodes):
        way = np.minimum(way, way[:, [middle]] + way[[middle], :])
    # Parts that nothing joins stand beside each other.
    way = np.where(np.isfinite(way), way, 1.0 + way[np.isfinite(way)].max() / 2)
    weight = np.where(way > 0, way, 1.0) ** -2.0
    np.fill_diagonal(weight, 0.0)
    turn = 2 * np.pi * np.arange(nodes) / nodes
    places = nodes / 6 * np.column_stack([np.cos(turn), np.sin(turn)])
    for _ in range(80):
        gap = places[:, None] - places[None, :]
        length = np.linalg.norm(gap, axis=2)
        pull = way / np.maximum(length, 1e-6)
        np.fill_diagonal(pull, 0.0)
        wanted = places[None, :] + gap * pull[:, :, None]
        places = (weight[:, :, None] * wanted).sum(axis=1) / weight.sum(axis=1, keepdims=True)
    return places
