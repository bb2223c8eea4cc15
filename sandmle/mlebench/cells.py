"""Submissions and answers as cells of text, matched by id.

Graders of MLE-bench match rows by id in any order, look at the columns that they need, and ignore
others; so does this. Cells stay text until a form reads them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from sandmle.errors import InvalidSubmission
from sandmle.runtime.table import shown

#: A line with more fields is refused before the file is read: pandas takes what a row has too
#: much for levels of row labels, each of which costs far more time and memory than its bytes. The
#: widest submission of the benchmark has 121 columns, and texts may hold commas.
MAX_FIELDS = 10_000


def check_width(content: bytes) -> None:
    """Raises InvalidSubmission where a line has more fields than any table has columns."""
    for number, line in enumerate(io.BytesIO(content), 1):
        if line.count(b",") >= MAX_FIELDS:
            raise InvalidSubmission(
                f"line {number} is too long; expected at most {MAX_FIELDS} fields"
            )


def read_cells(source: bytes | Path, *, rows: int | None = None) -> pd.DataFrame:
    """A CSV file as text, each cell as it stands; rows are numbered from 1.

    With `rows` no more of them are read. Raises InvalidSubmission where it is none.
    """
    try:
        cells = pd.read_csv(
            io.BytesIO(source) if isinstance(source, bytes) else source,
            dtype=str,
            keep_default_na=False,
            na_filter=False,
            encoding="utf-8-sig",
            nrows=rows,
        )
    except pd.errors.EmptyDataError:
        raise InvalidSubmission("the file is empty") from None
    except (pd.errors.ParserError, UnicodeDecodeError, csv.Error) as error:
        raise InvalidSubmission(f"not a CSV file: {' '.join(str(error).split())}") from None
    if not isinstance(cells.index, pd.RangeIndex):  # what is too much is taken for row labels
        raise InvalidSubmission("its rows have more fields than the header")
    cells.index = pd.RangeIndex(1, len(cells) + 1)
    return cells


def require_columns(cells: pd.DataFrame, columns: Sequence[str]) -> None:
    """Raises InvalidSubmission where a column is missing."""
    missing = [name for name in columns if name not in cells.columns]
    if missing:
        found = ", ".join(map(str, cells.columns[:8]))
        raise InvalidSubmission(f"column {missing[0]!r} is missing; found {shown(found)}")


def match_rows(
    submission: pd.DataFrame, answers: pd.DataFrame, identifier: str, *, more_rows: bool
) -> pd.DataFrame:
    """The submission's rows in the order of the answers, with the numbers that they had.

    Where an id stands in several rows of the answers, it must in as many of the submission, and
    they are matched in their order. Raises InvalidSubmission where an id is missing or, without
    `more_rows`, where one is too many.
    """
    wanted, given = comparable(answers[identifier], submission[identifier])
    places = _places(wanted, given)
    missing = np.flatnonzero(places < 0)
    if len(missing):
        first = answers[identifier].iloc[missing[0]]
        raise InvalidSubmission(
            f"{len(missing)} of {len(answers)} ids are missing, the first is {shown(first)}"
        )
    if len(submission) > len(answers) and not more_rows:
        kept = np.zeros(len(submission), dtype=bool)
        kept[places] = True
        row = int(np.argmin(kept))
        name = submission[identifier].iloc[row]
        known = given.iloc[row] in set(wanted)
        problem = "stands there too often" if known else "is not in the test set"
        raise InvalidSubmission(f"row {row + 1}: id {shown(name)} {problem}")
    return submission.iloc[places]


def comparable(truth: pd.Series[str], cells: pd.Series[str]) -> tuple[pd.Series, pd.Series]:
    """Two columns in a form in which equal things are equal: numbers where all of `truth` are.

    So `007`, `7` and `7.0` are one id or class where the answers hold numbers, as for MLE-bench's
    graders, which let pandas guess. A cell that is no number is then NaN.
    """
    numbers = pd.to_numeric(truth, errors="coerce")
    if numbers.isna().any():
        return truth, cells
    return numbers, pd.to_numeric(cells, errors="coerce")


def _places(wanted: pd.Series, given: pd.Series) -> np.ndarray:
    """Where each of the `wanted` ids stands among those `given`, -1 where it does not."""
    indices = [pd.Index(ids) for ids in (wanted, given)]
    if not all(index.is_unique for index in indices):  # each with how often it stood above
        indices = [
            pd.MultiIndex.from_arrays([ids, ids.groupby(ids, dropna=False).cumcount()])
            for ids in (wanted, given)
        ]
    found: np.ndarray = indices[1].get_indexer(indices[0])
    return found
