"""What rows before each row in time say, in all and within each group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.signal import lfilter

from sandmle.solvers.measures.columns import Columns

#: Shares that are kept from one row in time to the next, where numbers add up and fade.
MEMORIES = (0.5, 0.7, 0.85)


def earlier_values(columns: Columns, *, most: int) -> pd.DataFrame:
    """The numbers of rows before in time, up to `most` back, and how far they are from the present.

    In all rows, and within each group.
    """
    found: dict[str, np.ndarray] = {}
    for time, order, group, members in _histories(columns):
        values = _varying_beside(columns, time)
        ordered = values.loc[order].groupby(members.loc[order].to_numpy())
        for lag in range(1, most + 1):
            shifted = ordered.shift(lag).reindex(values.index)
            for name in values.columns:
                before = shifted[name].to_numpy()
                found[f"{name} {lag} before by {time} in {group}"] = before
                change = np.abs(values[name].to_numpy() - before)
                found[f"change of {name} since {lag} before by {time} in {group}"] = change
    return pd.DataFrame(found, index=columns.numbers.index)


def _varying_beside(columns: Columns, time: str) -> pd.DataFrame:
    """The numbers that vary and are no parts of a date."""
    varying = columns.numbers.loc[:, columns.numbers.nunique() > 2]
    return varying.drop(columns=[name for name in varying if str(name).startswith(f"{time} ")])


def _histories(columns: Columns) -> Iterator[tuple[str, pd.Index, str, pd.Series]]:
    """Each date's name, the rows in its order, and each grouping's name and levels; "" for all."""
    for time in columns.times.columns:
        order = columns.times[time].sort_values(kind="stable").index
        yield str(time), order, "", pd.Series("", index=order).sort_index()
        for group in columns.categories:
            if not str(group).startswith(f"{time} "):
                yield str(time), order, str(group), columns.categories[group]


def accumulated_values(columns: Columns) -> pd.DataFrame:
    """What all rows up to each in time add up to, in all and within each group, while it fades.

    Numbers count as deviations from their mean; for each of MEMORIES, that share of what was there
    is kept from a row to the next.
    """
    found: dict[str, np.ndarray] = {}
    for time, order, group, members in _histories(columns):
        values = _varying_beside(columns, time)
        centred = (values - values.mean()).fillna(0.0).to_numpy(float)
        for memory in MEMORIES:
            total = np.zeros(centred.shape)
            for rows in members.loc[order].groupby(members.loc[order].to_numpy()).groups.values():
                total[rows] = lfilter([1.0], [1.0, -memory], centred[rows], axis=0)
            for index, name in enumerate(values.columns):
                found[f"{name} added up by {memory} along {time} in {group}"] = total[:, index]
    return pd.DataFrame(found, index=columns.numbers.index)
