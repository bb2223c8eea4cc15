"""Feature columns of the main table: told apart by kind, cleaned, turned into numbers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

#: A column is of a kind when this share of its filled cells parses as that kind.
ENOUGH = 0.9
#: Text has at least this many words a cell on average; below it is a category.
TEXT_WORDS = 3.0
#: Whole numbers with at most this many distinct values may be codes of a category.
MOST_LEVELS = 40
#: So many whole-number columns are looked at for remainders of their sums.
MOST_WHOLE = 5

NUMBER_WITH_UNIT = r"^\s*([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*([^\d\s]*)\s*$"
DATE = (
    r"^\s*(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"
    r"|\d{1,2} [A-Za-z]{3,9} \d{2,4}|[A-Za-z]{3,9} \d{1,2},? \d{4})"
)


@dataclass(frozen=True)
class Columns:
    """The main table by kind, N rows each: numbers (NaN where missing), categories and texts.

    `times` are those numbers that were dates, in days.
    """

    numbers: pd.DataFrame
    categories: pd.DataFrame
    texts: pd.DataFrame
    times: pd.DataFrame


def split_columns(frame: pd.DataFrame) -> Columns:
    """Tells each column's kind by its cells; dates and sentinels become several numbers."""
    numbers: dict[str, np.ndarray] = {}
    categories: dict[str, pd.Series] = {}
    texts: dict[str, pd.Series] = {}
    times: dict[str, np.ndarray] = {}
    for name in frame.columns:
        cells = frame[name]
        filled = cells.dropna()
        values = pd.to_numeric(cells, errors="coerce")
        missing = cells.isna().to_numpy()
        if missing.any():
            numbers[f"{name} is missing"] = missing.astype(float)
        if not len(filled):
            continue
        if values.notna().sum() >= ENOUGH * len(filled):
            numbers.update(number_columns(name, values.to_numpy(float)))
            if is_code(values):
                categories[name] = cells.fillna("")
        elif filled.str.match(DATE).mean() >= ENOUGH:
            dates = pd.to_datetime(
                cells, errors="coerce", format="mixed", dayfirst=is_day_first(cells)
            )
            numbers.update(date_columns(name, dates))
            categories[f"{name} weekday"] = dates.dt.day_name().fillna("")
            categories[f"{name} month"] = dates.dt.month_name().fillna("")
            times[name] = numbers[f"{name} days"]
        elif filled.str.match(NUMBER_WITH_UNIT).mean() >= ENOUGH:
            parts = cells.str.extract(NUMBER_WITH_UNIT)
            numbers[name] = pd.to_numeric(parts[0]).to_numpy(float)
            categories[f"{name} unit"] = parts[1].fillna("").str.lower()
        elif (coded := json_parts(cells)) is not None or (coded := code_parts(cells)) is not None:
            split = split_columns(coded)
            numbers.update({str(part): split.numbers[part].to_numpy() for part in split.numbers})
            categories.update({str(part): split.categories[part] for part in split.categories})
        elif filled.str.count(r"\S+").mean() >= TEXT_WORDS and filled.nunique() > len(filled) / 4:
            texts[name] = cells.fillna("")
        else:
            categories[name] = tidied(cells)
    empty = pd.RangeIndex(len(frame))
    return Columns(
        pd.DataFrame(numbers, index=empty),
        pd.DataFrame(categories, index=empty),
        pd.DataFrame(texts, index=empty),
        pd.DataFrame(times, index=empty),
    )


def number_columns(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """A numeric column, and a flag for its sentinel where it has one (which becomes NaN)."""
    sentinel = find_sentinel(values)
    if sentinel is None:
        return {name: values}
    is_sentinel = values == sentinel
    return {
        name: np.where(is_sentinel, np.nan, values),
        f"{name} is {sentinel:g}": is_sentinel.astype(float),
    }


def find_sentinel(values: np.ndarray) -> float | None:
    """The extreme value that repeats in over 1% of the rows far away from all others, if any."""
    filled = values[~np.isnan(values)]
    for extreme in (filled.min(), filled.max()):
        others = filled[filled != extreme]
        if len(others) < len(filled) / 4 or np.mean(filled == extreme) < 0.01:
            continue
        spread = others.max() - others.min()
        if 0 < spread < 2 * np.abs(others - extreme).min():
            return float(extreme)
    return None


def is_code(values: pd.Series) -> bool:
    """Whether numbers may be codes: whole, few, and repeated."""
    filled = values.dropna()
    distinct = filled.nunique()
    return bool(
        2 < distinct <= min(MOST_LEVELS, len(filled) / 5) and (filled % 1 == 0).to_numpy().all()
    )


def code_parts(cells: pd.Series) -> pd.DataFrame | None:
    """The parts of codes such as KX-07-north, a column each; None where cells are no such codes."""
    parts = cells.str.split(r"[-_/.]", regex=True, expand=True)
    if parts.shape[1] < 2 or cells.nunique() <= MOST_LEVELS or cells.str.contains(r"\s").any():
        return None
    if parts.notna().all(axis=1).sum() < ENOUGH * cells.notna().sum():
        return None
    return parts.set_axis([f"{cells.name} part {index}" for index in parts.columns], axis=1)


def json_parts(cells: pd.Series) -> pd.DataFrame | None:
    """The values in JSON objects, a column a path of keys; None where cells are no such objects."""
    if not cells.dropna().str.fullmatch(r"\s*\{.*\}\s*").all():
        return None
    try:
        entries = [
            {} if cell is None else json.loads(cell) for cell in cells.where(cells.notna(), None)
        ]
    except json.JSONDecodeError:
        return None
    parts = pd.json_normalize(entries).set_axis(cells.index)
    text: pd.DataFrame = parts.apply(lambda values: values.map(str).where(values.notna()))
    return text.add_prefix(f"{cells.name}.")


def is_day_first(cells: pd.Series) -> bool:
    """Whether dates such as 03/04/2024 begin with the day: some first number is beyond 12."""
    first = pd.to_numeric(cells.str.extract(r"^\s*(\d{1,2})[/.]")[0])
    return bool((first > 12).any())


def date_columns(name: str, dates: pd.Series) -> dict[str, np.ndarray]:
    """Days since the earliest date, the parts of each date, and waves of usual periods."""
    days = (dates - dates.min()).dt.total_seconds() / 86_400
    parts = {
        "days": days,
        "weekday": dates.dt.day_of_week,
        "is weekend": (dates.dt.day_of_week >= 5).astype(float),
        "day": dates.dt.day,
        "month": dates.dt.month,
        "day of year": dates.dt.day_of_year,
        "hour": dates.dt.hour,
    }
    for period in (14, 28, 30.44, 60, 91.3, 121.75, 182.6, 365.25):
        parts[f"cosine of {period} days"] = np.cos(2 * np.pi * days / period)
        parts[f"sine of {period} days"] = np.sin(2 * np.pi * days / period)
    return {f"{name} {part}": values.to_numpy(float) for part, values in parts.items()}


def tidied(cells: pd.Series) -> pd.Series:
    """Category names with case, outer blanks and punctuation between words made equal."""
    names = {cell: re.sub(r"[\W_]+", " ", cell.lower()).strip() for cell in cells.dropna().unique()}
    return cells.map(names).fillna("")


def levels(categories: pd.DataFrame, *, fewest: int) -> pd.DataFrame:
    """One-hot columns for the levels that at least `fewest` rows have."""
    found: dict[str, np.ndarray] = {}
    for name in categories.columns:
        counts = categories[name].value_counts()
        for level in sorted(counts.index[(counts >= fewest)]):
            found[f"{name} = {level}"] = (categories[name] == level).to_numpy(float)
    return pd.DataFrame(found, index=categories.index)


def pair_levels(categories: pd.DataFrame, *, fewest: int, most: int) -> pd.DataFrame:
    """One-hot columns for the joint levels of each two categories, at most `most` of them each."""
    joint = {
        f"{left} & {right}": categories[left] + " & " + categories[right]
        for index, left in enumerate(categories.columns)
        for right in categories.columns[index + 1 :]
        if categories[left].nunique() * categories[right].nunique() <= most
    }
    return levels(pd.DataFrame(joint, index=categories.index), fewest=fewest)


def frequencies(categories: pd.DataFrame) -> pd.DataFrame:
    """How often each cell's level occurs, as a share of the rows."""
    return pd.DataFrame(
        {
            f"{name} frequency": categories[name].map(categories[name].value_counts(normalize=True))
            for name in categories.columns
        },
        index=categories.index,
    ).astype(float)


def group_deviations(numbers: pd.DataFrame, categories: pd.DataFrame) -> pd.DataFrame:
    """Each number against its group: mean of the group, deviation from it, rank within it."""
    found: dict[str, np.ndarray] = {}
    for group in categories.columns:
        sizes = categories[group].value_counts()
        if len(sizes) < 2 or sizes.median() < 2:
            continue
        grouped = numbers.groupby(categories[group].to_numpy())
        means = grouped.transform("mean")
        ranks = grouped.rank(pct=True)
        for name in numbers.columns:
            found[f"mean of {name} by {group}"] = means[name].to_numpy()
            found[f"{name} against {group}"] = (numbers[name] - means[name]).to_numpy()
            found[f"rank of {name} in {group}"] = ranks[name].to_numpy()
    return pd.DataFrame(found, index=numbers.index)


def level_slopes(numbers: pd.DataFrame, categories: pd.DataFrame, *, most: int) -> pd.DataFrame:
    """Each number within each level, 0 elsewhere, for categories of at most `most` levels.

    Numbers are centred at their median, so that a sign turned by a level shows.
    """
    centred = (numbers - numbers.median()).fillna(0.0)
    found: dict[str, np.ndarray] = {}
    for group in categories.columns:
        counts = categories[group].value_counts()
        if not 2 <= len(counts) <= most:
            continue
        for level in sorted(counts.index):
            inside = (categories[group] == level).to_numpy(float)
            for name in numbers.columns:
                found[f"{name} where {group} = {level}"] = centred[name].to_numpy() * inside
    return pd.DataFrame(found, index=numbers.index)


def residues(numbers: pd.DataFrame) -> pd.DataFrame:
    """Remainders of whole-number columns, and of sums of two and three, divided by 2 to 10."""
    whole = [
        name
        for name in numbers.columns
        if numbers[name].nunique() > 5 and (numbers[name].dropna() % 1 == 0).all()
    ][:MOST_WHOLE]
    found: dict[str, np.ndarray] = {}
    for count in (1, 2, 3):
        for names in combinations(whole, count):
            total = numbers[list(names)].sum(axis=1).to_numpy()
            for divisor in range(2, 11):
                rest = total % divisor
                for value in range(divisor if divisor > 2 else 1):
                    found[f"{' + '.join(names)} mod {divisor} = {value}"] = rest == value
    return pd.DataFrame(found, index=numbers.index, dtype=float)
