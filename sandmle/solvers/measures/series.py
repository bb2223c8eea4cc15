"""What can be measured on tables that hold several rows a sample: aggregates and time series."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

#: Points that irregular series are interpolated to.
GRID = 64
SPECTRUM_BANDS = 8
LAGS = (1, 2, 3, 4, 6, 8, 12)
#: Rows of each end that a change point must leave, as a share of the length.
MARGIN = 0.1


def table_columns(table: pd.DataFrame, identifier: str, ids: Sequence[str]) -> pd.DataFrame:
    """Everything known of each sample's rows: aggregates always, series measures where fit."""
    time = time_column(table, identifier)
    parts = [aggregates(table, identifier, ids, time)]
    for name, stack in series_of(table, identifier, ids).items():
        measures = series_columns(stack)
        parts.append(measures.rename(columns={old: f"{name}: {old}" for old in measures}))
    return pd.concat(parts, axis=1)


def time_column(table: pd.DataFrame, identifier: str) -> str | None:
    """The column that never falls within a sample's rows and is not constant, if there is one."""
    same = (table[identifier] == table[identifier].shift()).to_numpy()
    for name in table.columns.drop(identifier):
        values = pd.to_numeric(table[name], errors="coerce")
        if values.isna().any():
            if not table[name].astype(str).str.match(r"\d{4}-\d{2}-\d{2}").all():
                continue
            values = pd.to_datetime(table[name]).astype("int64") / 8.64e13
        steps = np.diff(values.to_numpy(float))[same[1:]]
        if len(steps) and (steps >= 0).all() and (steps > 0).mean() > 0.8:
            return str(name)
    return None


def number_columns_of(table: pd.DataFrame, identifier: str) -> list[str]:
    """The numeric columns beside id and time."""
    time = time_column(table, identifier)
    return [
        name
        for name in table.columns
        if name not in (identifier, time) and pd.api.types.is_numeric_dtype(table[name])
    ]


def series_of(table: pd.DataFrame, identifier: str, ids: Sequence[str]) -> dict[str, np.ndarray]:
    """Each numeric column as an array (N, length), rows in file order.

    Series of unequal length are interpolated to GRID points; a sample without rows is all 0.
    Nothing where a typical sample has fewer than 8 rows.
    """
    row = table[identifier].map({name: index for index, name in enumerate(ids)})
    table = table[row.notna()]
    order = np.argsort(row.dropna().to_numpy(int), kind="stable")
    counts = np.bincount(row.dropna().to_numpy(int), minlength=len(ids))
    if np.median(counts) < 8:
        return {}
    ends = np.cumsum(counts)
    found = {}
    for name in number_columns_of(table, identifier):
        values = table[name].interpolate(limit_direction="both").fillna(0).to_numpy(float)[order]
        if counts.min() == counts.max():
            found[name] = values.reshape(len(ids), -1)
            continue
        stack = np.zeros((len(ids), GRID))
        for index, (end, count) in enumerate(zip(ends, counts, strict=True)):
            if count:
                at = np.linspace(0, count - 1, GRID)
                stack[index] = np.interp(at, np.arange(count), values[end - count : end])
        found[name] = stack
    return found


def aggregates(
    table: pd.DataFrame, identifier: str, ids: Sequence[str], time: str | None
) -> pd.DataFrame:
    """Counts, extremes, means, last values, totals a sample; shares of each frequent level."""
    grouped = table.groupby(identifier, sort=False)
    found: dict[str, pd.Series] = {"rows": grouped.size()}
    for name in number_columns_of(table, identifier):
        column = grouped[name]
        lowest, highest, first, last = column.min(), column.max(), column.first(), column.last()
        found |= {
            f"mean {name}": column.mean(),
            f"total {name}": column.sum(),
            f"spread of {name}": column.std().fillna(0),
            f"lowest {name}": lowest,
            f"highest {name}": highest,
            f"range of {name}": highest - lowest,
            f"first {name}": first,
            f"last {name}": last,
            f"change of {name}": last - first,
            f"median {name}": column.median(),
        }
    for name in table.columns:
        if name in (identifier, time) or pd.api.types.is_numeric_dtype(table[name]):
            continue
        found[f"distinct {name}"] = grouped[name].nunique()
        for level in table[name].value_counts().index[:20]:
            hits = (table[name] == level).groupby(table[identifier])
            found[f"{name} = {level}"] = hits.sum()
            found[f"last {name} is {level}"] = hits.last().astype(float)
    if time is not None and pd.api.types.is_numeric_dtype(table[time]):
        gaps = table[time] - grouped[time].shift()
        by_sample = gaps.groupby(table[identifier])
        found |= {
            f"first {time}": grouped[time].min(),
            f"last {time}": grouped[time].max(),
            f"longest gap of {time}": by_sample.max(),
            f"spread of gaps of {time}": by_sample.std(),
        }
    frame = pd.DataFrame(found).reindex(list(ids)).astype(float)
    frame["rows"] = frame["rows"].fillna(0)
    return frame.reset_index(drop=True)


def series_columns(stack: np.ndarray) -> pd.DataFrame:
    """Everything below for series of shape (N, length): about 60 numbers a series."""
    return pd.DataFrame(
        {
            **levels_and_slopes(stack),
            **spectrum(stack),
            **autocorrelations(stack),
            **change_points(stack),
            **events(stack),
        }
    ).astype(float)


def levels_and_slopes(stack: np.ndarray) -> dict[str, np.ndarray]:
    """Level, slope, curvature, roughness, and each third of the series against the whole."""
    length = stack.shape[1]
    time = np.linspace(-1, 1, length)
    bend = time**2 - (time**2).mean()
    steps = np.diff(stack, axis=1)
    mean, spread = stack.mean(axis=1), stack.std(axis=1)
    central = (stack - mean[:, None]) / (spread[:, None] + 1e-9)
    found = {
        "slope": stack @ time / (time @ time),
        "curvature": stack @ bend / (bend @ bend),
        "roughness": steps.std(axis=1),
        "relative roughness": steps.std(axis=1) / (spread + 1e-9),
        "largest rise": steps.max(axis=1),
        "largest fall": steps.min(axis=1),
        "skewness": (central**3).mean(axis=1),
        "kurtosis": (central**4).mean(axis=1),
        "crossings of the mean": (np.diff(np.sign(central), axis=1) != 0).sum(axis=1),
        "place of highest": stack.argmax(axis=1),
        "place of lowest": stack.argmin(axis=1),
    }
    for index, third in enumerate(np.array_split(stack, 3, axis=1)):
        found[f"mean of third {index}"] = third.mean(axis=1) - mean
        found[f"spread of third {index}"] = third.std(axis=1)
        found[f"slope of third {index}"] = third @ np.linspace(-1, 1, third.shape[1])
        found[f"frequency of third {index}"] = main_frequency(third)
    found["frequency rise"] = found["frequency of third 2"] - found["frequency of third 0"]
    found["spread rise"] = np.log(
        (found["spread of third 2"] + 1e-6) / (found["spread of third 0"] + 1e-6)
    )
    return found


def main_frequency(stack: np.ndarray) -> np.ndarray:
    """Mean frequency weighted by the squared power of the detrended, windowed series."""
    return _centre(*_power(stack))


def _power(stack: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    length = stack.shape[1]
    time = np.linspace(-1, 1, length)
    flat = stack - stack.mean(axis=1, keepdims=True)
    flat = flat - np.outer(flat @ time / (time @ time), time)
    power = np.abs(np.fft.rfft(flat * np.hanning(length), n=2 * length)) ** 2
    return np.fft.rfftfreq(2 * length)[1:], power[:, 1:]


def _centre(frequency: np.ndarray, power: np.ndarray) -> np.ndarray:
    weight = power**2
    return np.asarray((weight * frequency).sum(axis=1) / (weight.sum(axis=1) + 1e-12))


def spectrum(stack: np.ndarray) -> dict[str, np.ndarray]:
    """The strongest frequency, the centre, spread and bands of the power spectrum."""
    frequency, power = _power(stack)
    total = power.sum(axis=1) + 1e-12
    share = power / total[:, None]
    peak = power.argmax(axis=1)
    centre = (share * frequency).sum(axis=1)
    found = {
        "dominant frequency": frequency[peak],
        "dominant period": 1 / frequency[peak],
        "main frequency": _centre(frequency, power),
        "strength of dominant frequency": share.max(axis=1),
        "centre of spectrum": centre,
        "width of spectrum": np.sqrt((share * (frequency - centre[:, None]) ** 2).sum(axis=1)),
        "entropy of spectrum": -(share * np.log(share + 1e-12)).sum(axis=1),
    }
    edges = np.geomspace(frequency[0], 0.5, SPECTRUM_BANDS + 1)
    for index, (low, high) in enumerate(pairwise(edges)):
        band = (frequency >= low) & (frequency <= high)
        found[f"log power of band {index}"] = np.log(power[:, band].sum(axis=1) + 1e-9)
        found[f"share of band {index}"] = share[:, band].sum(axis=1)
    return found


def autocorrelations(stack: np.ndarray) -> dict[str, np.ndarray]:
    """Correlation of each series with itself some steps later."""
    flat = stack - stack.mean(axis=1, keepdims=True)
    power = (flat**2).sum(axis=1) + 1e-9
    return {
        f"autocorrelation at {lag}": (flat[:, lag:] * flat[:, :-lag]).sum(axis=1) / power
        for lag in LAGS
        if lag < stack.shape[1] // 2
    }


def change_points(stack: np.ndarray) -> dict[str, np.ndarray]:
    """Where the mean, the spread and the slope change most, by how much, and to which side."""
    found = {}
    steps = np.diff(stack, axis=1)
    for name, values in (
        ("mean", stack),
        ("spread", np.abs(steps - steps.mean(axis=1, keepdims=True))),
        ("slope", steps),
    ):
        length = values.shape[1]
        places = np.arange(max(2, int(MARGIN * length)), length - max(2, int(MARGIN * length)))
        before = np.cumsum(values, axis=1)[:, places - 1] / places
        after = (values.sum(axis=1, keepdims=True) - before * places) / (length - places)
        jump = after - before
        weight = np.sqrt(places * (length - places)) / length
        best = np.abs(jump * weight).argmax(axis=1)
        row = np.arange(len(values))
        found[f"place of change of {name}"] = places[best]
        found[f"change of {name}"] = jump[row, best]
        found[f"size of change of {name}"] = np.abs(jump[row, best])
        noise = np.sqrt(np.maximum(values.var(axis=1) - (jump * weight)[row, best] ** 2, 1e-9))
        found[f"clarity of change of {name}"] = np.abs((jump * weight)[row, best]) / noise
    return found


def events(stack: np.ndarray) -> dict[str, np.ndarray]:
    """Peaks, runs beyond 1 and 2 standard deviations, outliers, and decay of the envelope."""
    centre = np.median(stack, axis=1, keepdims=True)
    spread = np.median(np.abs(stack - centre), axis=1, keepdims=True) * 1.4826 + 1e-9
    away = (stack - centre) / spread
    time = np.linspace(-1, 1, stack.shape[1])
    envelope = np.log(np.abs(stack - stack.mean(axis=1, keepdims=True)) + 1e-3)
    found = {"slope of envelope": envelope @ time / (time @ time)}
    for level in (1.5, 3.0, 5.0):
        above, beyond = away > level, np.abs(away) > level
        found[f"runs above {level}"] = _runs(above)
        found[f"runs beyond {level}"] = _runs(beyond)
        found[f"share beyond {level}"] = beyond.mean(axis=1)
        first, last = beyond.argmax(axis=1), stack.shape[1] - 1 - beyond[:, ::-1].argmax(axis=1)
        found[f"first to last beyond {level}"] = np.where(beyond.any(axis=1), last - first, 0)
    middle = stack[:, 1:-1]
    peaks = (middle > stack[:, :-2]) & (middle >= stack[:, 2:])
    found["local peaks"] = peaks.sum(axis=1)
    found["high local peaks"] = (peaks & (away[:, 1:-1] > 1)).sum(axis=1)
    return found


def _runs(mask: np.ndarray) -> np.ndarray:
    starts = mask[:, 1:] & ~mask[:, :-1]
    return np.asarray(starts.sum(axis=1) + mask[:, 0])


def cross_columns(stacks: dict[str, np.ndarray]) -> pd.DataFrame:
    """For each two series: their correlation, and the lag at which it is strongest."""
    found = {}
    names = list(stacks)
    for index, left in enumerate(names):
        for right in names[index + 1 :]:
            pair = [
                stack - stack.mean(axis=1, keepdims=True) for stack in (stacks[left], stacks[right])
            ]
            scale = np.sqrt((pair[0] ** 2).sum(axis=1) * (pair[1] ** 2).sum(axis=1)) + 1e-9
            size = 2 * pair[0].shape[1]
            product = np.fft.rfft(pair[0], size) * np.conj(np.fft.rfft(pair[1], size))
            correlation = np.fft.irfft(product, size) / scale[:, None]
            near = np.concatenate([correlation[:, -12:], correlation[:, :13]], axis=1)
            found[f"correlation of {left} and {right}"] = correlation[:, 0]
            found[f"lag of {left} after {right}"] = near.argmax(axis=1) - 12.0
            found[f"strongest correlation of {left} and {right}"] = near.max(axis=1)
    return pd.DataFrame(found)
