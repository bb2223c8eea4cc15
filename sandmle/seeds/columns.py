"""The columns of a main table, each reduced to its kind and the shape of its values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from sandmle.seeds.model import Column, Correlation

#: Number columns in a row, named alike but for a counter, that are judged as one series.
_SERIES_COLUMNS = 12

#: Rows that measures of dependence look at.
_ROWS_COMPARED = 5_000

_BINS = 6
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}\b|\d{1,2}[/.]\d{1,2}[/.](\d{2}|\d{4})\b|\d{4}/\d{1,2}/\d"
)

Array = npt.NDArray[Any]


def profile_columns(
    table: pd.DataFrame, target: Array, *, ordered: bool, file_names: frozenset[str]
) -> tuple[tuple[Column, ...], Correlation | None]:
    """Describes each column of `table`, in its order, under a new name (`number_1`).

    `target` has shape (rows, targets), a float or a class index each; `ordered` says whether its
    values have an order. `file_names` are names and stems of the competition's files.
    """
    rows = _spread(len(table), _ROWS_COMPARED)
    found: list[dict[str, Any]] = []
    numbers: dict[str, Array] = {}
    runs = _series_runs(table)
    for name in table.columns:
        if name in runs:
            if runs[name]:
                found.append(_describe_series(table[runs[name]]))
            continue
        cells = table[name]
        values = as_numbers(cells)
        kind = _kind(cells, values, file_names)
        facts = _describe(kind, cells, values)
        if kind in ("number", "category"):
            numeric = values is not None and kind == "number"
            seen = values if numeric else pd.factorize(cells)[0].astype(float)
            assert seen is not None
            facts |= _against_target(seen[rows], target[rows], numeric, ordered)
            if numeric:
                numbers[name] = seen[rows]
        found.append({"kind": kind, **facts})
    return _number_names(found), _correlate(numbers)


def as_numbers(cells: pd.Series[Any]) -> Array | None:
    """Cells as floats, NaN where empty or not finite; None where a cell is no number."""
    values = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    if cells.notna().sum() == 0 or (np.isnan(values) & cells.notna().to_numpy()).any():
        return None
    return np.where(np.isfinite(values), values, np.nan)


def shape_of(values: Array) -> dict[str, Any]:
    """`magnitude` and `skewness` of numbers, as SeedTarget defines them; NaN are left out."""
    values = values[np.isfinite(values)]
    typical = float(np.median(np.abs(values[values != 0]))) if np.any(values) else 1.0
    spread = values - values.mean() if len(values) else values
    deviation = float(np.sqrt(np.mean(spread**2))) if len(values) else 0.0
    # A constant column's rounding errors are no shape.
    flat = deviation <= 1e-9 * typical
    skewness = 0.0 if flat else float(np.mean((spread / deviation) ** 3))
    return {"magnitude": int(np.floor(np.log10(typical))), "skewness": round(skewness, 1) + 0.0}


def smoothness_of(readings: Array) -> float:
    """Correlation between neighbours along the last axis of (samples, length) readings."""
    left, right = readings[:, :-1].ravel(), readings[:, 1:].ravel()
    both = np.isfinite(left) & np.isfinite(right)
    return _rounded(_correlation(left[both], right[both]))


def median_words(cells: pd.Series[Any]) -> int:
    """Median number of words of the cells that are not empty, 0 where all are."""
    counts = cells.dropna().map(lambda cell: len(str(cell).split()))
    return int(counts.median()) if len(counts) else 0


def _kind(cells: pd.Series[Any], values: Array | None, file_names: frozenset[str]) -> str:
    filled = cells.dropna().astype(str)
    distinct = filled.nunique()
    if values is not None:
        return "category" if distinct == 2 else "number"
    if not len(filled):
        return "category"
    probe = filled.iloc[:200]
    if file_names and probe.str.strip().isin(file_names).mean() > 0.5:
        return "file"
    if probe.map(lambda cell: bool(_DATE.match(cell.strip()))).all():
        return "date"
    varied = distinct / len(filled)
    return "text" if varied > 0.3 and median_words(probe) >= 3 else "category"


def _describe(kind: str, cells: pd.Series[Any], values: Array | None) -> dict[str, Any]:
    facts: dict[str, Any] = {"missing": round(float(cells.isna().mean()), 2)}
    if kind == "number":
        assert values is not None
        whole = bool(np.all(values[np.isfinite(values)] % 1 == 0))
        return facts | {"whole": whole, **shape_of(values)}
    if kind == "category":
        shares = cells.value_counts(normalize=True).to_numpy()
        entropy = float(-(shares * np.log(shares)).sum())
        balance = entropy / np.log(len(shares)) if len(shares) > 1 else 0.0
        return facts | {"cardinality": len(shares), "balance": _rounded(balance)}
    if kind == "text":
        return facts | {"words": median_words(cells)}
    return facts


def _against_target(
    values: Array, target: Array, numeric: bool, ordered: bool
) -> Mapping[str, float]:
    """`dependence` and, for a number beside an ordered target, `rank_correlation`."""
    facts = {"dependence": max(_dependence(values, one, numeric) for one in target.T)}
    if numeric and ordered:
        facts["rank_correlation"] = max(_rank_correlation(values, one) for one in target.T)
    return facts


def _dependence(values: Array, target: Array, numeric: bool) -> float:
    """Linfoot's informational correlation sqrt(1 - exp(-2 I)), 0 to 1 (Linfoot 1957).

    I is the mutual information of binned values in nats, less the bias (r-1)(c-1)/2n that
    independent bins would show (Miller 1955).
    """
    left, right = _bins(values, numeric), _bins(target, len(np.unique(target)) > 20)
    table = pd.crosstab(left, right).to_numpy(dtype=float)
    total = table.sum()
    expected = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / total
    filled = table > 0
    information = float((table[filled] / total * np.log(table[filled] / expected[filled])).sum())
    bias = (table.shape[0] - 1) * (table.shape[1] - 1) / (2 * total)
    return _rounded(np.sqrt(1 - np.exp(-2 * max(0.0, information - bias))))


def _bins(values: Array, numeric: bool) -> Array:
    """Bin indices: equally filled bins for numbers, the commonest 20 levels else."""
    series = pd.Series(values)
    if numeric:
        codes = pd.qcut(series.rank(method="average"), _BINS, labels=False, duplicates="drop")
        return codes.fillna(-1).to_numpy()
    common = series.value_counts().index[:20]
    return series.where(series.isin(common), -2).fillna(-1).to_numpy()


def _rank_correlation(left: Array, right: Array) -> float:
    both = np.isfinite(left) & np.isfinite(right)
    ranks = [pd.Series(side[both]).rank().to_numpy() for side in (left, right)]
    return _rounded(abs(_correlation(*ranks)))


def _correlate(numbers: Mapping[str, Array]) -> Correlation | None:
    if len(numbers) < 2:
        return None
    matrix = pd.DataFrame(numbers).corr(method="spearman").abs().fillna(0.0).to_numpy()
    pairs = matrix[np.triu_indices(len(matrix), 1)]
    return Correlation(_rounded(pairs.mean()), _rounded(pairs.max()))


def _correlation(left: Array, right: Array) -> float:
    if len(left) < 3 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return float(np.corrcoef(left, right)[0, 1])


def _series_runs(table: pd.DataFrame) -> dict[str, list[str]]:
    """Columns that form a series: the first of them maps to all, the others to none."""
    runs: list[list[str]] = []
    last: tuple[str, int] | None = None
    for name in map(str, table.columns):
        parts = re.fullmatch(r"(.*?)(\d+)", name)
        this = (parts[1], int(parts[2])) if parts else None
        if this and last and this == (last[0], last[1] + 1):
            runs[-1].append(name)
        else:
            runs.append([name])
        last = this
    series = [run for run in runs if len(run) >= _SERIES_COLUMNS and _is_series(table[run])]
    return {name: run if name == run[0] else [] for run in series for name in run}


def _is_series(table: pd.DataFrame) -> bool:
    """Whether neighbouring columns resemble each other more than distant ones do."""
    columns = [as_numbers(table[name]) for name in table.columns]
    if any(column is None for column in columns):
        return False
    ranks = pd.DataFrame(dict(enumerate(columns))).corr(method="spearman").abs().fillna(0.0)
    matrix = ranks.to_numpy()
    near = float(np.median(np.diagonal(matrix, 1)))
    far = float(np.median(np.diagonal(matrix, len(matrix) // 2)))
    return near > 0.3 and near > far + 0.05


def _describe_series(table: pd.DataFrame) -> dict[str, Any]:
    columns = [as_numbers(table[name]) for name in table.columns]
    readings = np.column_stack([column for column in columns if column is not None])
    return {
        "kind": "series",
        "missing": round(float(np.isnan(readings).mean()), 2),
        "length": readings.shape[1],
        "smoothness": smoothness_of(readings),
        **shape_of(readings.ravel()),
    }


def _number_names(found: list[dict[str, Any]]) -> tuple[Column, ...]:
    counts: dict[str, int] = {}
    columns = []
    for facts in found:
        counts[facts["kind"]] = counts.get(facts["kind"], 0) + 1
        columns.append(Column(name=f"{facts['kind']}_{counts[facts['kind']]}", **facts))
    return tuple(columns)


def _spread(rows: int, limit: int) -> Array:
    """At most `limit` row positions, evenly spread over the table."""
    return np.unique(np.linspace(0, rows - 1, min(rows, limit)).astype(int))


def _rounded(value: float) -> float:
    return round(float(value), 2) + 0.0
