"""Whether a column of cells is the labels themselves, written in another way.

Classes: some level of the cells is one class, wherever there is a cell at all. Numbers: the same
order, or exactly one line through many of the points on a usual scale. Neither happens by honest
means, under which values are measured, and disturbed on the way.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from sandmle.build.evidence.associations import correlation

#: Correlation of a level with a class beyond which they are the same.
SAME = 0.97
#: So many rows must have a cell, and so many of them the level and the class.
FEWEST_ROWS, FEWEST_OF_LEVEL = 20, 3
#: Levels of a category that are compared with classes; beyond it a column names its rows.
MOST_LEVELS = 50
#: Numbers of fewer values, in proportion to the rows, are compared as classes are.
LEAST_VALUES = 0.25
#: Rank correlation from which two columns of numbers are in the same order.
SAME_ORDER = 0.9999
#: Pairs of points through which lines are laid, the share of points that must lie on one, and how
#: near, in proportion to the spread; numbers in files have six digits.
LINES, LEAST_ON_LINE, NEAR = 60, 0.15, 2e-5
#: A line is laid only where the columns have this rank correlation at least.
LEAST_ORDER = 0.25
#: Bytes of a file that are looked at from its start, and from its end.
MOST_BYTES, MOST_TAIL = 4096, 64
#: Shorter names of classes stand in files by chance.
SHORTEST_NAME = 3
#: Rows of each class, and of numbers, that are enough to tell.
ROWS_OF_CLASS, ROWS_OF_NUMBERS = 40, 100

_SCALES: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "": lambda values: values,
    "the log of ": lambda values: np.log(np.abs(values)),
    "the root of ": lambda values: np.sqrt(np.abs(values)),
    "the square of ": lambda values: values**2,
    "one over ": lambda values: 1 / values,
}
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")


def tells_classes(cells: np.ndarray, classes: np.ndarray) -> bool:
    """Whether some level of cells (rows,) of text is one of the classes (rows,) of any kind.

    Empty cells tell nothing.
    """
    there = cells != ""
    if there.sum() < FEWEST_ROWS:
        return False
    levels, level = np.unique(cells[there], return_inverse=True)
    names, member = np.unique(classes[there], return_inverse=True)
    if not 2 <= len(levels) <= MOST_LEVELS or not 2 <= len(names) <= MOST_LEVELS:
        return False
    both = np.zeros((len(levels), len(names)))
    np.add.at(both, (level, member), 1)
    rows, left, right = len(level), both.sum(axis=1)[:, None], both.sum(axis=0)[None, :]
    spread = np.sqrt(left * (rows - left) * right * (rows - right))
    same = (rows * both - left * right) >= SAME * spread
    often = (np.minimum(left, rows - left) >= FEWEST_OF_LEVEL) & (
        np.minimum(right, rows - right) >= FEWEST_OF_LEVEL
    )
    return bool((same & often).any())


def tells_numbers(cells: np.ndarray, numbers: np.ndarray) -> str | None:
    """How cells (rows,) of text tell the numbers (rows,), None where they don't."""
    values = as_numbers(cells)
    there = np.isfinite(values)
    if there.sum() < FEWEST_ROWS or len(np.unique(values[there])) < FEWEST_ROWS:
        return None
    known, wanted = values[there], numbers[there]
    order = correlation(rankdata(known), rankdata(wanted))
    if order >= SAME_ORDER:
        return "in the same order"
    if order < LEAST_ORDER:
        return None
    with np.errstate(all="ignore"):
        for name, scale in _SCALES.items():
            for of, other in (("", known), ("the log of ", np.log(np.abs(known)))):
                if on_a_line(other, scale(wanted)):
                    return f"{of}it is {name}the label, shifted and scaled"
    return None


def on_a_line(left: np.ndarray, right: np.ndarray) -> bool:
    """Whether many of the points (left, right) lie on exactly one line."""
    finite = np.isfinite(left) & np.isfinite(right)
    left, right = left[finite], right[finite]
    if len(left) < FEWEST_ROWS:
        return False
    pairs = np.random.default_rng(0).integers(0, len(left), (2, LINES))
    run = left[pairs[1]] - left[pairs[0]]
    slope = (right[pairs[1]] - right[pairs[0]]) / np.where(run, run, np.nan)
    off = right - (right[pairs[0]][:, None] + slope[:, None] * (left - left[pairs[0]][:, None]))
    near = NEAR * (np.percentile(right, 90) - np.percentile(right, 10))
    share = (np.abs(off) <= near).mean(axis=1)
    return bool((share[slope != 0] >= LEAST_ON_LINE).any())


def as_numbers(cells: np.ndarray) -> np.ndarray:
    """Text as numbers, NaN where there is none: as it stands, or as hex or base64 of its text."""
    values = pd.to_numeric(pd.Series(cells), errors="coerce").to_numpy(float)
    texts = [cell for cell in cells if cell]
    if np.isfinite(values).sum() >= len(texts) / 2 or len(texts) < FEWEST_ROWS:
        return values
    for decode in (_hex_text, _base64_text, _hex_number):
        if decode(texts[0]) is not None:
            decoded = pd.Series([decode(cell) if cell else None for cell in cells])
            values = pd.to_numeric(decoded, errors="coerce").to_numpy(float)
            if np.isfinite(values).sum() >= len(texts) / 2:
                return values
    return values


def _hex_text(cell: str) -> str | None:
    return bytes.fromhex(cell).decode("latin-1") if _HEX.fullmatch(cell) else None


def _hex_number(cell: str) -> str | None:
    try:
        return str(int(cell, 16))
    except ValueError:
        return None


def _base64_text(cell: str) -> str | None:
    try:
        return base64.b64decode(cell, validate=True).decode("latin-1")
    except (binascii.Error, ValueError):
        return None


def told_by_bytes(
    contents: Sequence[bytes], labels: np.ndarray, names: Sequence[str]
) -> str | None:
    """Which byte of the files tells the labels (files,), None where none does.

    A byte at some place from the start or the end, its last bit, or the name of the file's class
    (`names`, by index) in those files alone. A hundred files are enough: no byte of them all goes
    with the labels by chance (see telling_rows).
    """
    if len(contents) < FEWEST_ROWS:
        return None
    outcome = labels[:, None] == np.unique(labels) if names else labels[:, None].astype(float)
    head = min(MOST_BYTES, min(map(len, contents)))
    ends = [("byte {} from the start", [content[:head] for content in contents])]
    if len(set(map(len, contents))) > 1 or head == MOST_BYTES:
        tail = min(MOST_TAIL, head)
        ends.append(("byte {} from the end", [content[-tail:][::-1] for content in contents]))
    for place, cut in ends:
        bytes_ = np.frombuffer(b"".join(cut), np.uint8).reshape(len(cut), -1)
        for what, values in (("", bytes_), ("the last bit of ", bytes_ & 1)):
            sizes = _most_correlated(values, outcome)
            if sizes.max(initial=0.0) >= SAME:
                return what + place.format(int(sizes.argmax()))
    for index, name in enumerate(names):
        if len(name) >= SHORTEST_NAME:
            there = np.array([name.encode() in content for content in contents])
            if min(there.sum(), (~there).sum()) >= FEWEST_OF_LEVEL and (
                correlation(there.astype(float), (labels == index).astype(float)) >= SAME
            ):
                return f"the name {name!r} in the bytes"
    return None


def telling_rows(labels: Iterable[np.ndarray]) -> np.ndarray:
    """Enough rows to tell what goes with each of several targets' labels (rows,), ascending.

    Of each class the first so many, of numbers the first of all rows.
    """
    chosen: set[int] = set()
    for values in labels:
        if values.dtype.kind == "f":
            chosen.update(range(min(len(values), ROWS_OF_NUMBERS)))
            continue
        for label in np.unique(values):
            chosen.update(np.flatnonzero(values == label)[:ROWS_OF_CLASS].tolist())
    return np.array(sorted(chosen), dtype=int)


def _most_correlated(values: np.ndarray, outcome: np.ndarray) -> np.ndarray:
    """The largest correlation of each column (rows, m) with one of the outcome's; shape (m,)."""
    wanted = (outcome - outcome.mean(axis=0)).astype(np.float32)
    is_seen = (outcome != outcome[0]).sum(axis=0)
    wanted = wanted[:, np.minimum(is_seen, len(outcome) - is_seen) >= FEWEST_OF_LEVEL]
    if not wanted.shape[1]:
        return np.zeros(values.shape[1])
    numbers = values.astype(np.float32)
    mean = numbers.mean(axis=0)
    spread = np.einsum("ij,ij->j", numbers, numbers) - len(numbers) * mean**2
    scale = np.sqrt(np.outer(np.maximum(spread, 0), (wanted**2).sum(axis=0)))
    sizes = np.abs(numbers.T @ wanted) / np.where(scale > 1e-3, scale, np.inf)
    return np.asarray(sizes.max(axis=1))
