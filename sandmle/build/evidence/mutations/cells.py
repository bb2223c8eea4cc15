"""What a cell of a submission may hold instead, whatever belongs there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

import numpy as np

from sandmle.build.evidence.answers import Rows, written
from sandmle.build.evidence.mutations.lists import LISTS
from sandmle.build.evidence.mutations.mutation import LONG, Mutation
from sandmle.runtime.table import NUMBER

#: Texts that readers may misread: what is no number, numbers in other writings, extreme ones, words
#: for nothing, formulas of spreadsheets, markup, quotes, look-alikes, letters that are not seen.
WORDS = (
    "nan NaN NAN -nan inf -inf Infinity 1e309 -1e309 1e-400 1e16 1e15 -1e15 1e-320 1e999999999 "
    "0x1p3 0x10 1_000 1e e5 . - + -- --1 1.2.3 1,5 5. +.5 -0 -0.0 0 1 -1 2 0.5 True None null N/A "
    '１２ ٣ ½ ² −1 999999999 1000000000 2147483648 9223372036854775808 " "" \' ` \\ , ; | # _ '
    "%s%n {0} ${x} [] {} () [1,2] =1+1 =cmd|'/C'!A0 @SUM(1) +1+1 <script> ../../etc/passwd '; é "
    "e\u0301 а Ａ x X \U0001f600 \u200b \u202e \ufeff"
)
#: And texts with spaces in them: nothing, lists of numbers, such as runs and boxes are, huge ones.
SPACED = (
    *("", *" \t\n\x0b\x1c\u2028\xa0\u3000", "\r\n", "1 000", "- -", "- 1", "1 -", "-1 -1", "1 1"),
    *("0 0", "1 1 1 1", "2 1 1 1", "1 999999999", "999999999 1", "nan nan", "\U0001f600" * 3000),
    *("9" * 400, "0" * 5000 + "1", "0." + "0" * 5000 + "1", "1" + "0" * 5000, "a" * 100_000),
    *("a" * 200_000, "a " * 1000, "1 " * 50_000, "- " * 50_000, "a" * LONG),
)
#: Of all mutations so many change the same column in all rows, or give a cell to another row.
EVERYWHERE, ELSEWHERE = 0.2, 0.15

Edit = Callable[[str], str]


def of_cells(records: Rows, rng: np.random.Generator, numbers: Set[str]) -> Iterator[Mutation]:
    """One cell, or the cells of a column in all rows, with something else in it; without end.

    What is no number is wrong in the columns of `numbers`.
    """
    header, rows = records[0], records[1:]
    edits = list(all_edits())
    while True:
        for place in rng.permutation(len(edits)):
            name, edit = edits[place]
            column = int(rng.integers(1, len(header)))
            row, other = (int(place) for place in rng.integers(0, len(rows), 2))
            kind = rng.random()
            where: Sequence[int] = [row]
            if kind < EVERYWHERE and len(edit(rows[row][column])) * len(rows) < LONG:
                where = range(len(rows))
            elif kind > 1 - ELSEWHERE:
                name, edit = "that of another row", moved(rows[other][column])
            changed = [list(cells) for cells in rows]
            for place in where:
                changed[place][column] = edit(rows[place][column])
            content, title = written([header, *changed]), header[column]
            is_number = NUMBER.fullmatch(changed[row][column].strip()) is not None
            is_wrong = title in numbers and not is_number
            if len(where) == 1:
                told = f"{name} in row {row + 1} of {title}"
                yield Mutation(told, content, row + 1, title, is_wrong)
            else:
                yield Mutation(f"{name} in all rows of {title}", content, None, title, is_wrong)


def all_edits() -> Iterator[tuple[str, Edit]]:
    """Names of edits of a cell, and functions of what it holds; those of lists stand for half."""
    for text in (*WORDS.split(" "), *SPACED):
        yield repr(text[:20]), moved(text)
    for name, edit in LISTS.items():
        for which, piece in (("first", 0), ("middle", None), ("last", -1)):
            yield f"{name}, its {which} thing", at_piece(edit, piece)


def moved(text: str) -> Edit:
    """The edit that puts a text into the place of whatever is there."""
    return lambda _: text


def at_piece(edit: Callable[[str, int | None], str], piece: int | None) -> Edit:
    """The edit of one thing in a list."""
    return lambda text: edit(text, piece)
