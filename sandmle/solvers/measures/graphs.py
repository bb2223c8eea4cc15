"""Graphs that stand in tables: an edge list, and maybe a table of nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

#: Graphs of more nodes than this are too large for the measures here.
MOST_NODES = 120
#: A column that rises from more than this share of the rows to the next counts something.
MOST_RISING = 0.95
#: Labels of nodes that are told apart, the most frequent first.
MOST_LABELS = 6


@dataclass(frozen=True)
class Graphs:
    """The graphs of N samples, their nodes numbered from 0.

    `joined` float 0 or 1 (N, n, n); `exists` bool (N, n). `label` int (N, n) points into `labels`,
    the names of kinds of nodes, and is -1 where nothing is told; `places` (N, n, d) are coordinates
    (d = 0 where there are none). `tables` are the names of the tables that all this comes from.
    """

    joined: np.ndarray
    exists: np.ndarray
    label: np.ndarray
    labels: tuple[str, ...]
    places: np.ndarray
    tables: tuple[str, ...]


def find_graphs(
    tables: Mapping[str, pd.DataFrame], identifier: str, ids: Sequence[str]
) -> Graphs | None:
    """The graphs that a task's tables hold, None where no table is a list of edges."""
    for name, table in tables.items():
        ends = edge_ends(table, identifier)
        if ends is None:
            continue
        row = _rows_of(table, identifier, ids)
        for other, nodes in tables.items():
            key = None if other == name else node_key(nodes, identifier)
            if key is not None:
                return _with_nodes(ends, row, nodes, key, identifier, ids, (name, other))
        most = int(ends.max()) + 1
        joined = _joined(ends, row, len(ids), most)
        named = np.zeros(len(ids), int)
        np.maximum.at(named, row[row >= 0], ends[row >= 0].max(axis=1) + 1)
        exists = np.arange(most) < named[:, None]
        label = np.full((len(ids), most), -1)
        return Graphs(joined, exists, label, (), np.zeros((len(ids), most, 0)), (name,))
    return None


def edge_ends(table: pd.DataFrame, identifier: str) -> np.ndarray | None:
    """The two columns of a list of edges, (rows, 2), None where the table is something else.

    Of a list of edges the first two columns are whole numbers from 0, never equal, small, no sample
    has the same two twice, and the first does not rise from row to row as steps and times do.
    """
    shown = table.drop(columns=identifier)
    if shown.shape[1] < 2 or not len(shown):
        return None
    columns = shown.iloc[:, :2]
    if not all(pd.api.types.is_integer_dtype(columns[name]) for name in columns):
        return None
    ends = columns.to_numpy(int)
    if ends.min() < 0 or ends.max() >= MOST_NODES or (ends[:, 0] == ends[:, 1]).any():
        return None
    same = (table[identifier] == table[identifier].shift()).to_numpy()[1:]
    if same.any() and (np.diff(ends[:, 0])[same] > 0).mean() > MOST_RISING:
        return None
    key = pd.DataFrame(np.sort(ends, axis=1)).assign(sample=table[identifier].to_numpy())
    return None if key.duplicated().any() else ends


def node_key(table: pd.DataFrame, identifier: str) -> str | None:
    """The column that numbers the nodes of each sample from 0, each once; None where none does."""
    size = table.groupby(identifier)[identifier].transform("size")
    for name in table.columns.drop(identifier):
        if not pd.api.types.is_integer_dtype(table[name]) or table[name].min() != 0:
            continue
        is_unique = not table.duplicated([identifier, name]).any()
        if is_unique and (table[name] < size).all() and table[name].max() < MOST_NODES:
            return str(name)
    return None


def _rows_of(table: pd.DataFrame, identifier: str, ids: Sequence[str]) -> np.ndarray:
    """The place in `ids` of each row's sample, -1 where it is not among them."""
    place = {name: index for index, name in enumerate(ids)}
    return table[identifier].map(place).fillna(-1).to_numpy(int)


def _joined(ends: np.ndarray, row: np.ndarray, samples: int, most: int) -> np.ndarray:
    joined = np.zeros((samples, most, most))
    first, second = ends[row >= 0].T
    sample = row[row >= 0]
    joined[sample, first, second] = joined[sample, second, first] = 1.0
    return joined


def _with_nodes(
    ends: np.ndarray,
    row: np.ndarray,
    nodes: pd.DataFrame,
    key: str,
    identifier: str,
    ids: Sequence[str],
    tables: tuple[str, ...],
) -> Graphs:
    sample, node = _rows_of(nodes, identifier, ids), nodes[key].to_numpy(int)
    known = sample >= 0
    most = int(max(node.max(), ends.max())) + 1
    exists = np.zeros((len(ids), most), bool)
    exists[sample[known], node[known]] = True
    label = np.full((len(ids), most), -1)
    labels: tuple[str, ...] = ()
    others = nodes.drop(columns=[identifier, key])
    kinds = [name for name in others if not pd.api.types.is_numeric_dtype(others[name])]
    if kinds:
        cells = others[kinds[0]].astype(str)
        labels = tuple(
            str(kind) for kind in cells.value_counts().sort_index().nlargest(MOST_LABELS).index
        )
        position = {name: index for index, name in enumerate(labels)}
        label[sample[known], node[known]] = cells.map(position).fillna(-1).to_numpy(int)[known]
    numbers = others.select_dtypes("number")
    places = np.zeros((len(ids), most, numbers.shape[1]))
    places[sample[known], node[known]] = numbers.fillna(0).to_numpy(float)[known]
    joined = _joined(ends, row, len(ids), most)
    return Graphs(joined, exists, label, labels, places, tables)


def grown(graphs: Graphs, least: np.ndarray) -> Graphs:
    """The same graphs with at least `least` (N,) nodes each; further ones stand alone."""
    more = max(0, int(least.max()) - graphs.exists.shape[1])
    wide = ((0, 0), (0, more))
    exists = np.pad(graphs.exists, wide)
    return Graphs(
        joined=np.pad(graphs.joined, (*wide, (0, more))),
        exists=exists | (np.arange(exists.shape[1]) < least[:, None]),
        label=np.pad(graphs.label, wide, constant_values=-1),
        labels=graphs.labels,
        places=np.pad(graphs.places, (*wide, (0, 0))),
        tables=graphs.tables,
    )
