"""All that a row shows, one cell or number at a time: columns, second tables and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sandmle.build.evidence.public_files import Series
from sandmle.solvers.reading import Competition

#: Columns whose cells have so many spaces on average are texts.
LEAST_SPACES = 2


@dataclass(frozen=True)
class Sheet:
    """The N rows of train and test, by columns.

    `numbers` are columns of numbers, NaN where one is missing; `categories` of text, empty where it
    is missing; `gaps` say where a column of the main table is empty.
    """

    numbers: dict[str, np.ndarray]
    categories: dict[str, np.ndarray]
    gaps: dict[str, np.ndarray]


def read_sheet(competition: Competition, series: Sequence[Series]) -> Sheet:
    """The main table, means and counts of rows in the others, and a size and a mean of each file.

    Of a text its length counts.
    """
    numbers, categories, gaps = {}, {}, {}
    for name, cells in competition.frame.items():
        empty = cells.isna().to_numpy()
        if 0 < empty.sum() < len(empty):
            gaps[str(name)] = empty
        values = pd.to_numeric(cells, errors="coerce").to_numpy(float)
        if np.isfinite(values).sum() >= (~empty).sum() / 2:
            numbers[str(name)] = values
            continue
        texts = cells.fillna("").to_numpy(str)
        numbers[f"length of {name}"] = np.char.str_len(texts).astype(float)
        if np.char.count(texts, " ").mean() < LEAST_SPACES:
            categories[str(name)] = texts
    for name, table in competition.tables.items():
        numbers |= {f"{name}.csv: {key}": column for key, column in _means(table, competition)}
    for each in series:
        numbers |= _of_files(each, len(competition.ids))
    return Sheet(numbers, categories, gaps)


def _means(table: pd.DataFrame, competition: Competition) -> list[tuple[str, np.ndarray]]:
    """How many rows of a table each id has, and the mean of each of its columns of numbers."""
    place = {name: row for row, name in enumerate(competition.ids)}
    row = table[competition.identifier].map(place)
    known = row.notna().to_numpy()
    member = row.to_numpy(float)[known].astype(int)
    counts = np.bincount(member, minlength=len(place)).astype(float)
    found = [("count of rows", counts)]
    for name in table.columns.drop(competition.identifier):
        if table[name].dtype.kind in "iuf":
            values = table[name].to_numpy(float)[known]
            there = np.isfinite(values)
            total = np.bincount(member[there], values[there], len(place))
            of_them = np.bincount(member[there], minlength=len(place))
            mean = np.where(of_them > 0, total / np.maximum(of_them, 1), np.nan)
            found.append((f"mean of {name}", mean))
    return found


def _of_files(series: Series, rows: int) -> dict[str, np.ndarray]:
    """The size of each file, and the mean of its bytes."""
    sizes, means = np.full(rows, np.nan), np.full(rows, np.nan)
    sizes[series.rows] = [len(content) for content in series.contents]
    means[series.rows] = [np.frombuffer(content, np.uint8).mean() for content in series.contents]
    return {f"size of {series.name}": sizes, f"mean byte of {series.name}": means}
