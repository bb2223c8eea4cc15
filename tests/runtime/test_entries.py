"""Cells that list several entries: what is written is read back, what is wrong gets a reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.errors import InvalidSubmission
from sandmle.runtime.entries import TOO_LARGE, Entries, list_cell, one_word, read_entries
from sandmle.runtime.table import Table


def entries(*cells: str, fields: Sequence[str] = ("what", "size"), most: int = 3) -> Entries:
    """The entries of cells in rows 11, 12, ... of a file."""
    table = Table(
        ids=[f"r{row}" for row in range(len(cells))],
        columns={"things": cells},
        rows=range(11, 11 + len(cells)),
    )
    return read_entries(table, "things", noun="thing", fields=fields, most=most)


def test_entries_know_their_row_and_their_place_in_it() -> None:
    found = entries("a 1 b 2", "-", " c\t3 ", "", "d 4 e 5 f 6")

    assert list(found.fields["what"]) == list("abcdef")
    assert found.numbers("size", 0, 9).tolist() == [1, 2, 3, 4, 5, 6]
    assert found.owners.tolist() == [0, 0, 2, 4, 4, 4]
    assert found.ranks.tolist() == [0, 1, 0, 0, 1, 2]


def test_values_go_back_to_their_rows() -> None:
    found = entries("a 1 b 2", "-", "c 3")
    rows = found.by_row(found.numbers("size", 0, 9))

    assert [row.tolist() for row in rows] == [[1, 2], [], [3]]


def test_names_stand_without_spaces() -> None:
    assert entries("dark_blue 1 red 2").indices("what", ["red", "dark blue"]).tolist() == [1, 0]


def test_no_cell_may_list_anything() -> None:
    found = entries("-", "")

    assert found.whole_numbers("size").shape == found.indices("what", ["a"]).shape == (0,)
    assert [len(row) for row in found.by_row(np.zeros((0, 4)))] == [0, 0]


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("a", "row 12: 'things' holds 1 values; expected `what size` for every thing"),
        (
            "a 1 " * 4,
            "row 12: 'things' holds more than 3 entries; expected at most 3 of `what size`",
        ),
        ("a 1 b x", "row 12: 'things' thing 2 has size 'x'; expected a whole number"),
        ("a 1 b 2.0", "row 12: 'things' thing 2 has size '2.0'; expected a whole number"),
        ("a -1", "row 12: 'things' thing 1 has size '-1'; expected a whole number"),
        (
            f"a {TOO_LARGE}",
            f"row 12: 'things' thing 1 has size '{TOO_LARGE}'; expected a whole number",
        ),
        (
            "a 99999999999999999999999",
            "row 12: 'things' thing 1 has size '99999999999999999999999'; expected a whole number",
        ),
        ("c 1", "row 12: 'things' thing 1 has what 'c'; expected one of a, b"),
        ("b 1 a 1 b 1", "row 12: 'things' thing 3 has what 'b'; expected each thing once"),
    ],
)
def test_what_is_wrong_is_refused_with_row_and_place(cell: str, reason: str) -> None:
    with pytest.raises(InvalidSubmission) as caught:
        read_all("a 1", cell)

    assert str(caught.value) == reason


def read_all(*cells: str) -> None:
    found = entries(*cells)
    found.whole_numbers("size")
    found.indices("what", ["a", "b"])
    found.refuse_repeats("what")


@given(st.lists(st.integers(0, TOO_LARGE - 1), max_size=20), st.integers(0, 3))
def test_whole_numbers_are_read_with_any_zeros_in_front(values: list[int], zeros: int) -> None:
    cell = list_cell("0" * zeros + str(value) for value in values)

    assert entries(cell, fields=["size"], most=20).whole_numbers("size").tolist() == values


@given(st.lists(st.text(), max_size=5))
def test_what_a_cell_lists_is_read_back_or_not_written(texts: list[str]) -> None:
    words = [one_word(text) for text in texts]
    if "" in words or "-" in words:
        with pytest.raises(ValueError, match="can't stand in a list"):
            list_cell(words)
    else:
        assert list(entries(list_cell(words), fields=["what"], most=5).fields["what"]) == words
