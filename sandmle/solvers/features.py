"""A competition as matrices: raw features as they come, and what an attentive person would try."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from sandmle.solvers.measures.columns import (
    Columns,
    frequencies,
    group_deviations,
    level_slopes,
    levels,
    pair_levels,
    residues,
    split_columns,
)
from sandmle.solvers.measures.graph_marks import graph_columns
from sandmle.solvers.measures.graph_measures import raw_graph_columns
from sandmle.solvers.measures.graphs import Graphs, find_graphs
from sandmle.solvers.measures.images import changes, image_columns, pixel_columns, read_images
from sandmle.solvers.measures.recordings import raw_recording_columns, recording_columns
from sandmle.solvers.measures.series import cross_columns, series_of, table_columns, time_column
from sandmle.solvers.measures.signals import flight_columns
from sandmle.solvers.measures.texts import (
    compared_columns,
    compared_words,
    edge_words,
    order_columns,
    text_columns,
    tfidf_columns,
    token_columns,
)
from sandmle.solvers.measures.timelines import accumulated_values, earlier_values
from sandmle.solvers.reading import Competition

#: A level needs this many rows, of train and test together, to have a column of its own.
FEWEST_OF_LEVEL = 4
#: Joint levels of two categories beyond this number cannot be learned from 200 rows.
MOST_JOINT_LEVELS = 60
#: Categories of more levels have too few rows a level for slopes of their own.
MOST_SLOPES = 8
#: How many rows back in time values are looked up.
MOST_BEFORE = 3
#: Raw series and texts give at most this many columns.
MOST_RAW = 200


@dataclass(frozen=True)
class Measured:
    """What was measured, N rows, NaN nowhere.

    `plain` are numbers worth combining with each other, `groups` what categories add to them,
    `details` (token counts, orders, values of other rows, remainders) worth picking from.
    """

    plain: pd.DataFrame
    groups: pd.DataFrame
    details: pd.DataFrame


def raw_features(competition: Competition) -> np.ndarray:
    """What goes into a model without a thought: numbers, codes, pixels, words, values in a row.

    Shape (N, columns), standardised.
    """
    parts = [raw_column(competition.frame[name]) for name in competition.frame]
    for paths in competition.images.values():
        parts.append(pixel_columns(read_images(paths), side=12))
    parts += raw_recording_columns(competition)
    graphs = find_graphs(competition.tables, competition.identifier, competition.ids)
    if graphs is not None:
        parts.append(raw_graph_columns(graphs))
    for table in tables_beside(competition, graphs):
        for stack in series_of(table, competition.identifier, competition.ids).values():
            parts.append(pd.DataFrame(stack[:, :MOST_RAW]))
    return standardised(filled(pd.concat(parts, axis=1)).to_numpy(float))


def raw_column(cells: pd.Series) -> pd.DataFrame:
    """A column as numbers with as little thought as possible: codes for names, words for texts."""
    values = pd.to_numeric(cells, errors="coerce")
    if values.notna().sum() >= cells.notna().sum() / 2:
        return values.to_frame()
    if cells.str.count(" ").mean() >= 2:
        return tfidf_columns(list(cells.fillna("")), most=MOST_RAW)
    return pd.DataFrame({cells.name: pd.factorize(cells, sort=True)[0]})


def measure(competition: Competition) -> Measured:
    """Everything that the measures of each modality find, without looking at the labels."""
    columns = split_columns(competition.frame)
    numbers, categories = [columns.numbers], [columns.categories]
    details = [
        earlier_values(columns, most=MOST_BEFORE),
        accumulated_values(columns),
        residues(columns.numbers),
    ]
    for name in columns.texts:
        texts = list(columns.texts[name])
        numbers.append(text_columns(texts))
        categories.append(edge_words(texts).add_prefix(f"{name}: "))
        details += [token_columns(texts), order_columns(texts)]
    for left, right in combinations(columns.texts, 2):
        both = list(columns.texts[left]), list(columns.texts[right])
        numbers.append(compared_columns(*both).add_prefix(f"{left} and {right}: "))
        details.append(compared_words(*both).add_prefix(f"{left} and {right}: "))
    stacks = {name: read_images(paths) for name, paths in competition.images.items()}
    for name, stack in (stacks | changes(stacks)).items():
        numbers.append(image_columns(stack).add_prefix(f"{name}: "))
    recorded, parts = recording_columns(competition)
    numbers += recorded
    details += parts
    graphs = find_graphs(competition.tables, competition.identifier, competition.ids)
    if graphs is not None:
        numbers.append(graph_columns(graphs, competition.frame))
    for table in tables_beside(competition, graphs):
        time = time_column(table, competition.identifier)
        numbers.append(flight_columns(table, competition.identifier, time, competition.ids))
        numbers.append(table_columns(table, competition.identifier, competition.ids))
        numbers.append(cross_columns(series_of(table, competition.identifier, competition.ids)))
    return Measured(
        plain=filled(pd.concat(numbers, axis=1)),
        groups=group_features(pd.concat(categories, axis=1), columns),
        details=filled(pd.concat(details, axis=1)),
    )


def tables_beside(competition: Competition, graphs: Graphs | None) -> list[pd.DataFrame]:
    """The tables that hold no graphs."""
    taken = () if graphs is None else graphs.tables
    return [table for name, table in competition.tables.items() if name not in taken]


def group_features(categories: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """Levels, joint levels, frequencies, numbers against their groups and within them."""
    varying = columns.numbers.loc[:, columns.numbers.nunique() > 2]
    parts = [
        levels(categories, fewest=FEWEST_OF_LEVEL),
        pair_levels(categories, fewest=FEWEST_OF_LEVEL, most=MOST_JOINT_LEVELS),
        frequencies(categories),
        group_deviations(varying, columns.categories),
        level_slopes(varying, columns.categories, most=MOST_SLOPES),
    ]
    return filled(pd.concat(parts, axis=1))


def filled(frame: pd.DataFrame) -> pd.DataFrame:
    """Missing numbers replaced by the column's median (0 where nothing is there), constants out."""
    values = frame.to_numpy(float, copy=True)
    values[~np.isfinite(values)] = np.nan
    for column in np.flatnonzero(np.isnan(values).any(axis=0)):
        cells = values[:, column]
        missing = np.isnan(cells)
        cells[missing] = 0.0 if missing.all() else np.median(cells[~missing])
    varying = values.min(axis=0) < values.max(axis=0)
    return pd.DataFrame(values[:, varying], index=frame.index, columns=frame.columns[varying])


def standardised(values: np.ndarray) -> np.ndarray:
    """Columns centred and scaled to unit spread, and cut at 5 standard deviations."""
    spread = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.asarray(np.clip(scaled, -5, 5))


def curves(plain: np.ndarray) -> np.ndarray:
    """Bends, folds, steps and waves of each column; shape (N, about 40 x columns).

    `plain` is standardised. Ranks and waves on ranks make odd scales harmless.
    """
    rank = plain.argsort(axis=0).argsort(axis=0) / (len(plain) - 1)
    parts = [rank, plain**2, np.abs(plain), plain**3, np.sign(plain) * np.log1p(np.abs(plain))]
    for cut in (0.2, 0.35, 0.5, 0.65, 0.8):
        parts += [rank > cut, np.abs(rank - cut)]
    parts += [(rank > low) & (rank < low + 0.33) for low in (0.1, 0.2, 0.33, 0.45, 0.57)]
    for frequency in (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0):
        parts += [np.sin(frequency * plain), np.cos(frequency * plain)]
    return np.concatenate([np.asarray(part, float) for part in parts], axis=1)


def pairs(plain: np.ndarray) -> np.ndarray:
    """Each two standardised columns together; shape (N, 6 x columns x (columns - 1) / 2)."""
    left, right = np.triu_indices(plain.shape[1], 1)
    one, two = plain[:, left], plain[:, right]
    side = np.sign(plain - np.median(plain, axis=0))
    return np.concatenate(
        [
            one * two,
            side[:, left] * side[:, right],
            np.abs(one - two),
            np.minimum(one, two),
            np.maximum(one, two),
            one**2 + two**2,
        ],
        axis=1,
    )


def scaled_pairs(frame: np.ndarray) -> np.ndarray:
    """Each two columns in their own units: difference, its size, log of the ratio, product."""
    left, right = np.triu_indices(frame.shape[1], 1)
    one, two = frame[:, left], frame[:, right]
    ratio = np.log(np.abs(one) + 1e-9) - np.log(np.abs(two) + 1e-9)
    return np.concatenate([one - two, np.abs(one - two), ratio, one * two], axis=1)


def parities(plain: np.ndarray, *, order: int) -> np.ndarray:
    """Products of the sides of the median that `order` columns are on, +1 or -1."""
    side = np.where(plain > np.median(plain, axis=0), 1.0, -1.0)
    chosen = np.arange(plain.shape[1])[None, :]
    for _ in range(order - 1):
        last = chosen[-1]
        grown = [
            np.concatenate([chosen[:, [column]], [[later]]])
            for column in range(chosen.shape[1])
            for later in range(last[column] + 1, plain.shape[1])
        ]
        chosen = np.concatenate(grown, axis=1) if grown else np.empty((len(chosen) + 1, 0), int)
    return np.asarray(side[:, chosen].prod(axis=1))
