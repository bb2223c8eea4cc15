"""What can be measured on recordings: a csv file a sample, and flashes of sensors in space."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

SIGNAL_SUFFIXES = (".csv",)

#: Rows over which energy is averaged.
ENERGY_ROWS = 6
#: Moments at which a wave may begin, of a whole recording.
MOMENTS = 80


def read_signals(paths: Sequence[Path]) -> dict[str, np.ndarray]:
    """Each column of csv files of one form as an array (N, rows); shorter files end in zeros."""
    names: list[str] = []
    tables = []
    for path in paths:
        head, _, body = path.read_text("utf-8").strip().partition("\n")
        names = head.split(",")
        cells = np.array(body.replace("\n", ",").split(","), float)
        tables.append(cells.reshape(-1, len(names)))
    longest = max(len(table) for table in tables)
    stack = np.stack([np.pad(table, ((0, longest - len(table)), (0, 0))) for table in tables])
    return {name: stack[:, :, index] for index, name in enumerate(names)}


def arrival_columns(stack: np.ndarray) -> pd.DataFrame:
    """When two waves arrive in series (N, length), how far apart, how high, how they die away.

    Of the steps from one row to the next, in which slow waves of the ground hardly count.
    """
    steps = np.diff(stack, axis=1)
    energy = np.lib.stride_tricks.sliding_window_view(steps**2, ENERGY_ROWS, axis=1).mean(axis=2)
    peak, time = energy.argmax(axis=1), np.arange(energy.shape[1])
    first, second = arrivals(steps**2, peak)
    top, row = energy.max(axis=1) + 1e-9, np.arange(len(energy))
    after = (time > peak[:, None]) * energy
    weight = after.sum(axis=1) + 1e-9
    between = energy[row, np.minimum((first + second) // 2, energy.shape[1] - 1)]
    slow = np.lib.stride_tricks.sliding_window_view(stack, 16, axis=1).mean(axis=2)
    away = np.abs(stack[:, 8 : 8 + slow.shape[1]] - slow).max(axis=1)
    return pd.DataFrame(
        {
            "first arrival": first,
            "second arrival": second,
            "peak of energy": peak,
            "first to second arrival": second - first,
            "first arrival to peak": peak - first,
            "height of energy": np.log(top),
            "height of waves": np.log(away + 1e-9),
            "pitch of waves": np.log(top) - 2 * np.log(away + 1e-9),
            "height of first wave beside second": np.log((between + 1e-9) / top),
            "energy after peak": np.log(weight / top),
            "fading after peak": (after * (time - peak[:, None])).sum(axis=1) / weight,
        }
    ).astype(float)


def arrivals(energy: np.ndarray, peak: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two rows at which the level of `energy` (N, rows) changes most clearly before its peak.

    The likeliest two changes of the variance of normal noise: the AIC picker of seismology (Maeda
    1985), for two arrivals at once.
    """
    step = max(1, energy.shape[1] // MOMENTS)
    total = np.pad(energy.cumsum(axis=1), ((0, 0), (1, 0)))[:, ::step]
    moments = np.arange(total.shape[1])
    last = np.minimum((peak + 2 * ENERGY_ROWS) // step, total.shape[1] - 1)
    whole = total[np.arange(len(total)), last]
    start, end = moments[:, None], moments[None, :]

    def cost(length: np.ndarray, content: np.ndarray) -> np.ndarray:
        rows = np.maximum(length, 1)
        return np.asarray(rows * np.log(np.maximum(content, 1e-9) / rows))

    found = (
        cost(start, total[:, :, None])
        + cost(end - start, total[:, None, :] - total[:, :, None])
        + cost(last[:, None, None] - end, (whole[:, None] - total)[:, None, :])
    )
    may = (start > 1) & (end > start + 1) & (end < last[:, None, None])
    best = np.where(may, found, np.inf).reshape(len(found), -1).argmin(axis=1)
    first, second = np.divmod(best, len(moments))
    return first * step, second * step


def flight_columns(
    table: pd.DataFrame, identifier: str, time: str | None, ids: Sequence[str]
) -> pd.DataFrame:
    """Where each sample's rows move in space over `time`: velocities, and their directions.

    The space is made of the columns that another column fixes, as a sensor's number fixes where it
    hangs. Straight lines are fitted, each row weighing the same, and as much as each other column
    of positive numbers says. Nothing where no two columns are fixed.
    """
    numbers = table.select_dtypes("number").drop(columns=[identifier, time], errors="ignore")
    numbers.columns = numbers.columns.map(str)
    keys = [str(name) for name in numbers if (numbers[name] % 1 == 0).all()]
    space = [
        str(name)
        for name in numbers
        if any(
            key != name and (numbers[name].groupby(numbers[key]).nunique() == 1).all()
            for key in keys
        )
    ]
    if time is None or len(space) < 2:
        return pd.DataFrame(index=range(len(ids)))
    weighing = [
        name for name in numbers if name not in (*space, *keys) and (numbers[name] > 0).all()
    ]
    found = {}
    for name in (None, *weighing):
        weight = pd.Series(1.0, table.index) if name is None else numbers[name]
        speeds = _speeds(table[[identifier, time, *space]], weight, identifier, time)
        speeds = speeds.reindex(list(ids)).fillna(0.0)
        label = "" if name is None else f" by {name}"
        length = np.linalg.norm(speeds, axis=1) + 1e-9
        for axis in space:
            found[f"speed along {axis}{label}"] = speeds[axis].to_numpy()
            found[f"share of speed along {axis}{label}"] = speeds[axis].to_numpy() / length
            found[f"angle from {axis}{label}"] = np.arccos(speeds[axis].to_numpy() / length)
            found[f"angle to {axis}{label}"] = np.pi - found[f"angle from {axis}{label}"]
        for one, other in combinations(space, 2):
            angle = np.arctan2(speeds[other].to_numpy(), speeds[one].to_numpy())
            found[f"bearing of {one} and {other}{label}"] = angle % (2 * np.pi)
            found[f"back bearing of {one} and {other}{label}"] = (angle + np.pi) % (2 * np.pi)
    return pd.DataFrame(found)


def _speeds(table: pd.DataFrame, weight: pd.Series, identifier: str, time: str) -> pd.DataFrame:
    """Weighted least squares slope over `time` of each further column, a row a sample."""
    columns = table.columns.drop(identifier)
    total = weight.groupby(table[identifier]).transform("sum")
    share = weight / total
    values = table[columns].astype(float)
    centred = values - values.mul(share, axis=0).groupby(table[identifier]).transform("sum")
    late = centred[time] * share
    spread = (late * centred[time]).groupby(table[identifier]).sum() + 1e-9
    products = centred.drop(columns=time).mul(late, axis=0).groupby(table[identifier]).sum()
    return products.div(spread, axis=0)
