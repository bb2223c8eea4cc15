"""What can be measured on recordings: a csv file a sample, and flashes of sensors in space."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

SIGNAL_SUFFIXES = (".csv",)

#: Rows of the short and of the long mean whose ratio tells that a wave arrives.
SHORT_MEAN, LONG_MEAN = 4, 24


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
    """When waves arrive in series (N, length), how long apart, how high, how they die away."""
    energy = (stack - np.median(stack, axis=1, keepdims=True)) ** 2
    total = np.pad(energy.cumsum(axis=1), ((0, 0), (1, 0)))
    place = np.arange(LONG_MEAN, stack.shape[1] - SHORT_MEAN)
    ahead = (total[:, place + SHORT_MEAN] - total[:, place]) / SHORT_MEAN
    behind = (total[:, place] - total[:, place - LONG_MEAN]) / LONG_MEAN
    ratio = ahead / (behind + 0.05 * energy.mean(axis=1, keepdims=True) + 1e-9)
    first, best = (ratio > 3).argmax(axis=1), ratio.argmax(axis=1)
    window = np.lib.stride_tricks.sliding_window_view(energy, 2 * SHORT_MEAN, axis=1).mean(axis=2)
    peak, time = window.argmax(axis=1), np.arange(window.shape[1])
    after = (time > peak[:, None]) * window
    weight = after.sum(axis=1) + 1e-9
    early = window[np.arange(len(window)), np.clip(first + LONG_MEAN, 0, window.shape[1] - 1)]
    return pd.DataFrame(
        {
            "first arrival": first,
            "clearest arrival": best,
            "peak of energy": peak,
            "first arrival to peak": peak - first,
            "first to clearest arrival": best - first,
            "height of peak": np.log(window.max(axis=1) + 1e-9),
            "height of first beside peak": np.log((early + 1e-9) / (window.max(axis=1) + 1e-9)),
            "energy after peak": np.log(weight / (window.max(axis=1) + 1e-9)),
            "fading after peak": (after * (time - peak[:, None])).sum(axis=1) / weight,
            "energy before first": np.log(total[:, LONG_MEAN // 2] + 1e-9),
        }
    ).astype(float)


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
