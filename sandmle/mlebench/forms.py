"""How the graded columns of submission and answers become the arrays that our metrics take.

Each function of FORMS returns the arrays of truth and prediction. What a submission may not hold
raises InvalidSubmission with row and column.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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

#: Digits of a number of pixels that no picture has.
_DIGITS = 13

#: Guesses that cannot be right: of a row that has no more, and those that were made before.
_NONE, _REPEATED = -1, -2


@dataclass(frozen=True)
class Graded:
    """What is graded, as cells of text with one row of each for one id, those that count alone.

    `truth` and `cells` are the graded columns of the answers and of the submission, whose rows are
    numbered as in its file; `answers` have all columns.
    """

    truth: pd.DataFrame
    cells: pd.DataFrame
    answers: pd.DataFrame
    rule: Rule


def numbers(graded: Graded) -> Arrays:
    """Numbers (rows,), or (rows, columns) where there are several columns."""
    low = -np.inf if graded.rule.low is None or graded.rule.clip else graded.rule.low
    high = np.inf if graded.rule.high is None or graded.rule.clip else graded.rule.high
    prediction = _numbers(graded.cells, low, high)
    if graded.rule.clip:
        prediction = np.clip(prediction, graded.rule.low, graded.rule.high)
    return _flat(graded.truth.astype(float).to_numpy()), _flat(prediction)


def shares(graded: Graded) -> Arrays:
    """Probabilities (rows, columns) of which each row's sum is 1; the answers may be counts."""
    prediction = _numbers(graded.cells, 0.0, 1.0)
    sums = prediction.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1) > TOLERANCE)
    if len(wrong):
        row = graded.cells.index[wrong[0]]
        raise InvalidSubmission(
            f"row {row}: the probabilities add up to {sums[wrong[0]]:.8g}; expected 1"
        )
    truth = graded.truth.astype(float).to_numpy()
    return truth / truth.sum(axis=1, keepdims=True), prediction


def labels(graded: Graded) -> Arrays:
    """Classes (rows,) as their places among all that truth or prediction holds, sorted."""
    true, given = comparable(graded.truth.iloc[:, 0], graded.cells.iloc[:, 0])
    if given.isna().any():
        _refuse(graded.cells, int(np.argmax(given.isna())), 0, "a class, which is a number")
    _, codes = np.unique(np.concatenate([true, given]), return_inverse=True)
    return codes[: len(true)], codes[len(true) :]


def first_labels(graded: Graded) -> Arrays:
    """Classes (rows,), where a submission may list several, of which the first counts."""
    firsts = graded.cells.apply(lambda column: column.str.split().str[0].fillna(""))
    return labels(dataclasses.replace(graded, cells=firsts))


def texts(graded: Graded) -> Arrays:
    """Texts as they stand, object (rows,)."""
    return graded.truth.iloc[:, 0].to_numpy(object), graded.cells.iloc[:, 0].to_numpy(object)


def tags(graded: Graded) -> Arrays:
    """0 or 1 for every pair (row, tag) that is true or predicted, one after the other.

    All other pairs are 0 in both, and change no pooled count of hits. Tags that no answer has are
    ignored, as MLE-bench's graders do.
    """
    true = _pairs(graded.truth.iloc[:, 0])
    known = {tag for _, tag in true}
    given = {pair for pair in _pairs(graded.cells.iloc[:, 0]) if pair[1] in known}
    every = [*true, *(given - true)]
    return (
        np.arange(len(every)) < len(true),
        np.fromiter((pair in given for pair in every), dtype=bool, count=len(every)),
    )


def rankings(graded: Graded) -> Arrays:
    """Indices of names (rows, most), best first, -1 where a row holds no more.

    A name that stands in a row again counts as a wrong guess.
    """
    index: dict[str, int] = {}

    def listed(cell: str) -> list[int]:
        return [index.setdefault(name, len(index)) for name in cell.split()]

    true = [list(dict.fromkeys(listed(cell))) for cell in graded.truth.iloc[:, 0]]
    most = int(graded.rule.metric["k"])
    given = [_once(listed(cell)[:most]) for cell in graded.cells.iloc[:, 0]]
    return _padded(true), _padded(given)


def orders(graded: Graded) -> Arrays:
    """Items in an order, object (rows,), a tuple of str each; a row has the items of its answer."""
    true, given = _tuples(graded.truth.iloc[:, 0]), _tuples(graded.cells.iloc[:, 0])
    for place, (items, guess) in enumerate(zip(true, given, strict=True)):
        if sorted(items) != sorted(guess):
            _refuse(graded.cells, place, 0, f"the {len(items)} items of this row, each once")
    return true, given


def sequences(graded: Graded) -> Arrays:
    """Whole numbers one after the other, object (rows,), a tuple of str each."""
    true, given = _tuples(graded.truth.iloc[:, 0]), _tuples(graded.cells.iloc[:, 0])
    for place, items in enumerate(given):
        if not all(item.isdecimal() for item in items):
            _refuse(graded.cells, place, 0, "whole numbers separated by spaces")
    return true, given


def masks(graded: Graded) -> Arrays:
    """The marked pixels of pictures, bool (rows, pixels); smaller pictures have none at the end.

    Cells hold runs, `start length start length ...`, from pixel 1 on; `-` is none. Whether pixels
    are counted along rows or down columns makes no difference to how many are right.
    """
    pixels = np.ones(len(graded.cells), dtype=np.int64)
    for size in graded.rule.pixels:
        pixels *= (
            size
            if isinstance(size, int)
            else graded.answers[size].astype(float).astype(int).to_numpy()
        )
    return _marked(graded.truth, pixels), _marked(graded.cells, pixels)


def long_probabilities(graded: Graded) -> Arrays:
    """Probabilities (samples, parts) where every part of a sample has a row: `{sample}_{part}`."""
    given = _flat(_numbers(graded.cells, 0.0, 1.0))
    names = graded.answers[graded.rule.identifier].str.partition("_")
    samples, _ = pd.factorize(names[0])
    parts = names[2].map(graded.rule.parts.index).to_numpy()
    found = []
    for values in (graded.truth.iloc[:, 0].astype(float).to_numpy(), given):
        whole = np.full((samples.max() + 1, len(graded.rule.parts)), np.nan)
        whole[samples, parts] = values
        found.append(whole)
    return found[0], found[1]


FORMS: Mapping[str, Callable[[Graded], Arrays]] = MappingProxyType(
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
            masks,
            long_probabilities,
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


def _marked(cells: pd.DataFrame, pixels: np.ndarray) -> np.ndarray:
    """The pixels in runs, bool (rows, most pixels of a row); `pixels` are how many each row has."""
    found = np.zeros((len(cells), int(pixels.max(initial=1))), dtype=bool)
    for row, text in enumerate(cells.iloc[:, 0]):
        runs = text.split() if text.strip() != "-" else []
        if len(runs) % 2 or not all(run.isdecimal() and len(run) < _DIGITS for run in runs):
            _refuse(cells, row, 0, "runs: start length start length ...")
        starts, lengths = np.array(runs[::2], dtype=np.int64), np.array(runs[1::2], dtype=np.int64)
        ends = starts + lengths - 1
        before = np.concatenate([[0], ends[:-1]])
        if (starts <= before).any() or (lengths < 1).any() or (ends > pixels[row]).any():
            _refuse(cells, row, 0, f"runs that ascend within pixels 1 to {pixels[row]}")
        for start, end in zip(starts, ends, strict=True):
            found[row, start - 1 : end] = True
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
