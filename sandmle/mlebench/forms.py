"""How the graded columns of submission and answers become the arrays that our metrics take.

Each function of FORMS takes the graded columns of the answers and of the submission as cells of
text, their rows matched, and the competition's rule, and returns truth and prediction. What a
submission may not hold raises InvalidSubmission with row and column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

import numpy as np
import pandas as pd

from sandmle.errors import InvalidSubmission
from sandmle.mlebench.cells import comparable
from sandmle.mlebench.known import Rule
from sandmle.runtime.table import shown

Arrays = tuple[np.ndarray, np.ndarray]

#: How far from 1 the shares of a row may add up to. MLE-bench's graders allow 0.5e-6 to 11e-6.
TOLERANCE = 1.1e-5

#: Guesses that cannot be right: of a row that has no more, and those that were made before.
_NONE, _REPEATED = -1, -2


def numbers(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """Numbers (rows,), or (rows, columns) where there are several columns."""
    low = -np.inf if rule.low is None or rule.clip else rule.low
    high = np.inf if rule.high is None or rule.clip else rule.high
    prediction = _numbers(cells, low, high)
    if rule.clip:
        prediction = np.clip(prediction, rule.low, rule.high)
    return _flat(answers.astype(float).to_numpy()), _flat(prediction)


def shares(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """Probabilities (rows, columns) of which each row's sum is 1; the answers may be counts."""
    prediction = _numbers(cells, 0.0, 1.0)
    sums = prediction.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1) > TOLERANCE)
    if len(wrong):
        row = cells.index[wrong[0]]
        raise InvalidSubmission(
            f"row {row}: the probabilities add up to {sums[wrong[0]]:.8g}; expected 1"
        )
    truth = answers.astype(float).to_numpy()
    return truth / truth.sum(axis=1, keepdims=True), prediction


def labels(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """Classes (rows,) as their places among all that truth or prediction holds, sorted."""
    true, given = comparable(answers.iloc[:, 0], cells.iloc[:, 0])
    if given.isna().any():
        _refuse(cells, int(np.argmax(given.isna())), 0, "a class, which is a number")
    _, codes = np.unique(np.concatenate([true, given]), return_inverse=True)
    return codes[: len(true)], codes[len(true) :]


def first_labels(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """Classes (rows,), where a submission may list several, of which the first counts."""
    firsts = cells.apply(lambda column: column.str.split().str[0].fillna(""))
    return labels(answers, firsts, rule)


def texts(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """Texts as they stand, object (rows,)."""
    return answers.iloc[:, 0].to_numpy(object), cells.iloc[:, 0].to_numpy(object)


def tags(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """0 or 1 for every pair (row, tag) that is true or predicted, one after the other.

    All other pairs are 0 in both, and change no pooled count of hits. Tags that no answer has are
    ignored, as MLE-bench's graders do.
    """
    true = _pairs(answers.iloc[:, 0])
    known = {tag for _, tag in true}
    given = {pair for pair in _pairs(cells.iloc[:, 0]) if pair[1] in known}
    every = [*true, *(given - true)]
    return (
        np.arange(len(every)) < len(true),
        np.fromiter((pair in given for pair in every), dtype=bool, count=len(every)),
    )


def rankings(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """Indices of names (rows, most), best first, -1 where a row holds no more.

    A name that stands in a row again counts as a wrong guess.
    """
    index: dict[str, int] = {}

    def listed(cell: str) -> list[int]:
        return [index.setdefault(name, len(index)) for name in cell.split()]

    true = [list(dict.fromkeys(listed(cell))) for cell in answers.iloc[:, 0]]
    most = int(rule.metric["k"])
    given = [_once(listed(cell)[:most]) for cell in cells.iloc[:, 0]]
    return _padded(true), _padded(given)


def orders(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """Items in an order, object (rows,), a tuple of str each; a row has the items of its answer."""
    true, given = _tuples(answers.iloc[:, 0]), _tuples(cells.iloc[:, 0])
    for place, (items, guess) in enumerate(zip(true, given, strict=True)):
        if sorted(items) != sorted(guess):
            _refuse(cells, place, 0, f"the {len(items)} items of this row, each once")
    return true, given


def sequences(answers: pd.DataFrame, cells: pd.DataFrame, rule: Rule) -> Arrays:
    """Whole numbers one after the other, object (rows,), a tuple of str each."""
    true, given = _tuples(answers.iloc[:, 0]), _tuples(cells.iloc[:, 0])
    for place, items in enumerate(given):
        if not all(item.isdecimal() for item in items):
            _refuse(cells, place, 0, "whole numbers separated by spaces")
    return true, given


FORMS: Mapping[str, Callable[[pd.DataFrame, pd.DataFrame, Rule], Arrays]] = MappingProxyType(
    {
        form.__name__: form
        for form in (
            numbers,
            shares,
            labels,
            first_labels,
            texts,
            tags,
            rankings,
            orders,
            sequences,
        )
    }
)


def _numbers(cells: pd.DataFrame, low: float, high: float) -> np.ndarray:
    """Cells as floats (rows, columns), finite and from `low` to `high`."""
    found: np.ndarray = cells.apply(pd.to_numeric, errors="coerce").to_numpy(float)
    wrong = ~(np.isfinite(found) & (found >= low) & (found <= high))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        bounds = "" if np.isinf([low, high]).all() else f" from {low:g} to {high:g}"
        _refuse(cells, int(row), int(column), f"a number{bounds}")
    return found


def _refuse(cells: pd.DataFrame, row: int, column: int, expected: str) -> NoReturn:
    """Raises InvalidSubmission for the cell at a place."""
    text = str(cells.iat[row, column])
    found = f"holds {shown(text)}" if text.strip() else "is empty"
    raise InvalidSubmission(
        f"row {cells.index[row]}: {cells.columns[column]!r} {found}; expected {expected}"
    )


def _flat(values: np.ndarray) -> np.ndarray:
    return values[:, 0] if values.shape[1] == 1 else values


def _pairs(cells: pd.Series[str]) -> set[tuple[int, str]]:
    return {(row, tag) for row, cell in enumerate(cells) for tag in cell.split()}


def _tuples(cells: pd.Series[str]) -> np.ndarray:
    found = np.empty(len(cells), dtype=object)
    found[:] = [tuple(cell.split()) for cell in cells]
    return found


def _once(names: Sequence[int]) -> list[int]:
    """A row's guesses, with those that it has made before marked."""
    return [_REPEATED if name in names[:rank] else name for rank, name in enumerate(names)]


def _padded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    """Rows of indices in one array, _NONE where a row has no more."""
    found = np.full((len(rows), max(1, *map(len, rows))), _NONE)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return found
