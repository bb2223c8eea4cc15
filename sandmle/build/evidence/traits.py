"""What texts are made of, as columns: ids, names of files and notes in their headers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.stats import rankdata

#: So many rows must have what a column of 0 and 1 says, and so many must not.
FEWEST = 12
#: Characters looked at one by one, from either end.
MOST_PLACES = 12
#: Numbers in a text that are looked at, from its start.
MOST_NUMBERS = 3
#: Levels of a category that are looked at, the most frequent first.
MOST_LEVELS = 20

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_BREAK = re.compile(r"[^A-Za-z0-9.]+")
_VOWELS = frozenset(map(ord, "aeiouAEIOU"))

#: A column and what it says.
Trait = tuple[str, np.ndarray]


def traits(texts: Sequence[str]) -> tuple[list[str], np.ndarray]:
    """Columns of numbers and of 0 and 1, one row a text, none constant: (names, (rows, columns)).

    The characters at each place from either end, which occur, and how they add up; numbers, their
    remainders and how far from the middle they lie; length; the parts before and behind a break.
    """
    if len(set(texts)) < 2:
        return [], np.empty((len(texts), 0), np.float32)
    return together([*_characters(texts), *_numbers(texts), *_parts(texts)])


def together(found: Sequence[Trait]) -> tuple[list[str], np.ndarray]:
    """Those traits that are not the same in all rows, or in nearly all, side by side."""
    kept = [(name, values) for name, values in found if _varies(values)]
    if not kept:
        return [], np.empty((len(found[0][1]) if found else 0, 0), np.float32)
    columns = np.array([values for _, values in kept], dtype=np.float32)
    return [name for name, _ in kept], np.ascontiguousarray(columns.T)


def number_traits(name: str, values: np.ndarray) -> list[Trait]:
    """A number's rank, and how far from the middle it lies."""
    ranks = rankdata(values)
    return [(name, ranks), (f"{name}, from the middle", np.abs(ranks - ranks.mean()))]


def level_traits(name: str, levels: Sequence[object]) -> list[Trait]:
    """Whether each of the frequent levels is the row's."""
    cells = np.array(levels)
    return [
        (f"{name} {level!r}", cells == level)
        for level, count in Counter(levels).most_common(MOST_LEVELS)
        if count >= FEWEST
    ]


def _varies(values: np.ndarray) -> bool:
    if values.dtype.kind == "b":
        return bool(FEWEST <= values.sum() <= len(values) - FEWEST)
    return bool((values != values[0]).any())


def _characters(texts: Sequence[str]) -> Iterator[Trait]:
    cells = np.array(texts, dtype=str)
    width = cells.dtype.itemsize // 4
    codes = cells.view(np.uint32).reshape(len(cells), width)
    lengths = (codes > 0).sum(axis=1)
    yield from number_traits("length", lengths)
    total = codes.sum(axis=1)
    yield from number_traits("sum of characters", total)
    yield from ((f"sum of characters modulo {n} is 0", total % n == 0) for n in (2, 3))
    is_digit = (codes >= ord("0")) & (codes <= ord("9"))
    is_capital = (codes >= ord("A")) & (codes <= ord("Z"))
    yield "count of digits", rankdata(is_digit.sum(axis=1))
    yield "count of capitals", rankdata(is_capital.sum(axis=1))
    yield "count of vowels", rankdata(np.isin(codes, list(_VOWELS)).sum(axis=1))
    yield from _at_places(codes[:, :MOST_PLACES], "character {} from the start")
    if (lengths != width).any() or width > MOST_PLACES:
        backwards = np.array([text[::-1] for text in texts], dtype=f"<U{width}")
        turned = backwards.view(np.uint32).reshape(len(cells), width)
        yield from _at_places(turned[:, :MOST_PLACES], "character {} from the end")
    for code in np.unique(codes):
        if code:
            yield f"{chr(code)!r} occurs", (codes == code).any(axis=1)


def _at_places(codes: np.ndarray, place: str) -> Iterator[Trait]:
    for column, values in enumerate(codes.T, 1):
        for code, count in zip(*np.unique(values, return_counts=True), strict=True):
            if count >= FEWEST:
                yield f"{place.format(column)} is {chr(code)!r}", values == code


def _numbers(texts: Sequence[str]) -> Iterator[Trait]:
    found = [_NUMBER.findall(text) for text in texts]
    most = min(MOST_NUMBERS, max(map(len, found)))
    for place in range(most):
        values = np.array([float(each[place]) if place < len(each) else -1.0 for each in found])
        yield from number_traits(f"number {place + 1}", values)
        for divisor in (2, 3):
            yield f"number {place + 1} modulo {divisor} is 0", values % divisor == 0


def _parts(texts: Sequence[str]) -> Iterator[Trait]:
    parts = [_BREAK.split(text) for text in texts]
    yield "count of parts", rankdata([len(each) for each in parts])
    if max(map(len, parts)) > 1:
        yield from level_traits("first part", [each[0] for each in parts])
        yield from level_traits("last part", [each[-1] for each in parts])
    yield from level_traits("all of it", list(texts))
