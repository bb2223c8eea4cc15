"""Test rows with all that belongs to them do not stand in train too, nor do near copies."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.encodings import pixels
from sandmle.build.evidence.near_copies import contents, near_copies
from sandmle.build.evidence.public_files import Series
from sandmle.solvers.reading import Competition

CLAIM = "test rows are not in train"
COST = "cheap"

#: Share of test rows that may stand in train too, where most rows differ.
MOST_DUPLICATES = 0.01
#: Cells of which fewer are different are equal by chance, too.
MOST_UNIQUE = 0.9
#: Of rows nearer to a row of train than NEAR times the distance that few (FEW) of train's own rows
#: keep from their next, there may be a share of MOST_NEAR: two columns leave .008 to chance.
NEAR, FEW, MOST_NEAR = 0.4, 0.05, 0.02
#: Standard deviations by which a cell counts as wholly different.
MOST_APART = 3.0
#: Columns of numbers that a row must show to be known by them.
FEWEST_NUMBERS = 2


def examine(task: Examined) -> Finding:
    """Compares the rows of train and test, with their files and their rows in second tables.

    Tables without a column in which most values differ are let be: equal rows are normal there.
    """
    competition = task.competition
    files = [_digests(series, task, len(competition.ids)) for series in task.series]
    columns = competition.frame.fillna("")
    columns = columns.assign(**{f"file {place}": each for place, each in enumerate(files)})
    columns = columns.assign(**_rows_of_tables(competition))
    if not len(columns.columns) or (columns.nunique() < len(columns) / 2).all():
        return Finding(True, "not looked at: few different values")
    rows = pd.util.hash_pandas_object(columns, index=False).to_numpy(str)
    cut = competition.train
    parts: list[np.ndarray] = [rows, *files, *map(np.array, _rows_of_tables(competition).values())]
    share = max(_share_in_train(part, cut) for part in parts)
    near = max(_near(task, files), *(near_copies(each, cut) for each in contents(task)), 0.0)
    return Finding(
        bool(share <= MOST_DUPLICATES and near <= MOST_NEAR),
        f"{share:.1%} of the test rows" + (f", {near:.1%} nearly" if near > share else ""),
    )


def _share_in_train(cells: np.ndarray, train: int) -> float:
    """The share of test rows whose cell stands in train too; 0 where cells are alike anyway."""
    if len(np.unique(cells)) < MOST_UNIQUE * len(cells):
        return 0.0
    return float(np.isin(cells[train:], cells[:train]).mean())


def _digests(series: Series, task: Examined, rows: int) -> np.ndarray:
    """For each row a digest of its file, or of its pixels if pictures are encoded in two ways."""
    said = task.encodings[series.name]
    is_one_way = len(set(map(len, series.contents))) == 1 and all(each == said[0] for each in said)
    shown = (
        series.contents
        if is_one_way or not said[0]
        else [pixels(content, "RGBA") for content in series.contents]
    )
    found = np.full(rows, "", dtype=object)
    found[series.rows] = [hashlib.sha256(content).hexdigest() for content in shown]
    return found


def _rows_of_tables(competition: Competition) -> dict[str, list[str]]:
    """For each row a digest of its rows in each second table."""
    found = {}
    for table, content in competition.tables.items():
        rows = pd.util.hash_pandas_object(content.drop(columns=competition.identifier), index=False)
        grouped = rows.groupby(content[competition.identifier]).agg(lambda part: hash(tuple(part)))
        found[f"rows in {table}"] = [str(grouped.get(name, "")) for name in competition.ids]
    return found


def _near(task: Examined, files: list[np.ndarray]) -> float:
    """The share of test rows that are a row of train but for jitter or rounding.

    By their numbers, on a scale on which each column has unit spread; other cells and files must
    be equal.
    """
    numbers = [
        values
        for name, values in task.sheet.numbers.items()
        if not name.startswith(("size of", "mean byte of"))
    ]
    scaled = [
        column for column in map(_scaled, numbers) if len(np.unique(column)) > len(column) / 2
    ]
    if len(scaled) < FEWEST_NUMBERS:
        return 0.0
    cut = task.competition.train
    values = np.column_stack(scaled) / len(scaled)
    other = np.column_stack([*task.sheet.categories.values(), *files, np.zeros(len(values))])
    kind = pd.util.hash_pandas_object(pd.DataFrame(other), index=False).to_numpy()
    to_train = cdist(values, values[:cut], "cityblock")
    to_train[:cut][np.diag_indices(cut)] = np.inf
    limit = NEAR * np.quantile(to_train[:cut].min(axis=1), FEW)
    close = (to_train[cut:] < limit) & (kind[cut:, None] == kind[None, :cut])
    return float(close.any(axis=1).mean())


def _scaled(values: np.ndarray) -> np.ndarray:
    """Numbers less their median by their spread; missing ones stand far from all others."""
    spread = np.subtract(*np.nanpercentile(values, [84, 16])) / 2 or np.nanstd(values) or 1.0
    centred = np.clip((values - np.nanmedian(values)) / spread, -MOST_APART, MOST_APART)
    return np.where(np.isfinite(centred), centred, 2 * MOST_APART)
