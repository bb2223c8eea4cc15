"""What a description says of values: where columns stand, what they may hold, who is in a split."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd
from PIL import Image

from sandmle.build.evidence.described import CODE, Described, ToldColumn
from sandmle.vocabulary import load_vocabulary

#: Entries that may be others than what a column means where noise spoils columns.
SPOILT = 0.1

_NUMBER = r"(-?\d+(?:\.\d+)?)"
_FLAG = re.compile(r"^1 (where|for|if|with|after|at|inside)\b")
_RANGE = re.compile(rf"(?<![\w.-]){_NUMBER} to {_NUMBER}\b")
_SHARE = re.compile(r"^share of .*%$")
_COUNT = re.compile(r"^(number|times|last digit) ")
_NOBODY_IN_BOTH = re.compile(r"no `([^`]+)` is in both")
_JOINED = re.compile(r"every `([^`]+)` in (.*), to be joined")
_LATER = re.compile(r"later than those of `train.csv`, by `([^`]+)`")

#: Modes of pictures without colour.
_GREY = ("1", "L", "LA", "I", "I;16", "F")


def wrong_places(described: Described) -> Iterator[str]:
    """Columns of which nothing says where they stand, or that do not stand there."""
    for column in described.columns:
        for path in column.files:
            found = next(described.matching(path), None)
            if found is None or column.name not in described.header(found[0]):
                yield f"{path} has no column {column.name}"
        if not column.files and column.name not in described.header("train.csv"):
            yield f"the file of the column {column.name} is not said"
    for path, says in described.files.items():
        for name, places in _JOINED.findall(says):
            for place in (*CODE.findall(places), path):
                if name not in described.tables.get(place, ()):
                    yield f"{place} has no column {name} to join by"


def same_meanings(described: Described) -> Iterator[str]:
    """Columns of one file that are said to mean the same."""
    first: dict[tuple[str, tuple[str, ...]], str] = {}
    for column in described.columns:
        other = first.setdefault((column.meaning, column.files), column.name)
        if column.meaning and other != column.name:
            yield f"{other} and {column.name} mean the same: {column.meaning}"


def wrong_meanings(described: Described) -> Iterator[str]:
    """Columns with entries that can't be what they are said to mean."""
    allowed = SPOILT if _is_spoilt(described) else 0.0
    for column in described.columns:
        for says, fits in _expected(column.meaning):
            cells = _entries(described, column)
            numbers = pd.to_numeric(pd.Series(cells, dtype=str), errors="coerce").to_numpy(float)
            if len(cells) and np.mean(~fits(numbers)) > allowed:
                odd = cells[int(np.argmin(fits(numbers)))]
                yield f"{column.name} holds {odd}, but is {says}"


def _expected(meaning: str) -> Iterator[tuple[str, Callable[[np.ndarray], np.ndarray]]]:
    """What a meaning says of the entries of a column, and which of its numbers are so."""
    if _FLAG.match(meaning):
        yield "0 or 1", lambda numbers: np.isin(numbers, (0, 1))
    elif found := _RANGE.search(meaning):
        low, high = float(found[1]), float(found[2])
        yield f"{found[0]}", lambda numbers: (low <= numbers) & (numbers <= high)
    elif _SHARE.match(meaning):
        yield "a share in percent", lambda numbers: (numbers >= 0) & (numbers <= 100)
    elif _COUNT.match(meaning):
        yield "a whole number", lambda numbers: numbers == np.rint(numbers)


def _entries(described: Described, column: ToldColumn) -> list[str]:
    paths = column.files or ("train.csv", "test.csv")
    found = [next(described.matching(path), None) for path in paths]
    return [cell for match in found if match for cell in described.cells(match[0], column.name)]


def _is_spoilt(described: Described) -> bool:
    """Whether noise changes entries of columns."""
    prepared = described.task.prepared
    vocabulary = load_vocabulary(prepared.corpus)
    noise = [vocabulary.word("noise", use.kind) for use in prepared.spec.noise]
    return any(word.traits["DISTURBS"] in ("columns", "factor") for word in noise)


def wrong_splits(described: Described) -> Iterator[str]:
    """Groups that are said to be in train or test alone and are in both, times that overlap."""
    says = described.files.get("test.csv", "")
    for pattern, differs in ((_NOBODY_IN_BOTH, _are_apart), (_LATER, _are_later)):
        found = pattern.search(says)
        if found is None:
            continue
        if found[1] not in described.header("test.csv"):
            yield f"test.csv has no column {found[1]} to tell it from train.csv"
        elif not differs(*(described.cells(path, found[1]) for path in ("train.csv", "test.csv"))):
            yield f"{found[1]} does not tell test.csv from train.csv"


def _are_apart(train: Sequence[str], test: Sequence[str]) -> bool:
    return not set(train) & set(test)


def _are_later(train: Sequence[str], test: Sequence[str]) -> bool:
    """Whether most of the moments of test come after most of those of train; so where neither are
    numbers nor dates as they sort.
    """
    with contextlib.suppress(ValueError):
        return bool(np.median([*map(float, test)]) > np.quantile([*map(float, train)], 0.9))
    if not all(re.match(r"\d{4}-\d{2}-\d{2}", cell) for cell in (*train, *test)):
        return True
    return sorted(test)[len(test) // 2] > sorted(train)[int(0.9 * (len(train) - 1))]


def wrong_pictures(described: Described) -> Iterator[str]:
    """Pictures said to be grey that have colours, or to have colours that they have not."""
    modes = {mode for path in described.files if "{id}" in path for mode in _modes(described, path)}
    story = described.text.partition("\n## ")[0]
    if re.search(r"\bin colour\b", story) and modes and modes <= {*_GREY}:
        yield "pictures said to be in colour are grey"
    told = r"\bgrey (picture|scan|map|heat map|micrograph|satellite tile|photograph)"
    if re.search(told, story) and modes and not modes & {*_GREY}:
        yield "pictures said to be grey have colours"


def _modes(described: Described, path: str) -> Iterator[str]:
    """The mode of the first picture of a series, if it is one."""
    first = next(described.matching(path), None)
    if first is not None:
        with contextlib.suppress(OSError):
            yield Image.open(io.BytesIO(described.public[first[0]])).mode
