"""English numbers in words, against known readings."""

from __future__ import annotations

import pytest

from sandmle.runtime.spelling import cardinal_words, ordinal_words, year_words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"),
        (13, "thirteen"),
        (40, "forty"),
        (99, "ninety nine"),
        (100, "one hundred"),
        (504, "five hundred and four"),
        (1000, "one thousand"),
        (1012, "one thousand and twelve"),
        (90_210, "ninety thousand two hundred and ten"),
        (2_000_001, "two million and one"),
    ],
)
def test_amounts_are_spelled(number: int, words: str) -> None:
    assert cardinal_words(number, joined=True) == words
    assert cardinal_words(number) == words.replace(" and ", " ")


def test_ordinals_and_years_are_spelled() -> None:
    spelled = {
        1: "first",
        12: "twelfth",
        20: "twentieth",
        33: "thirty third",
        108: "one hundred eighth",
    }
    assert {number: ordinal_words(number) for number in spelled} == spelled
    years = {1984: "nineteen eighty four", 1900: "nineteen hundred", 1805: "eighteen oh five"}
    assert {number: year_words(number) for number in years} == years
    assert year_words(2005) == "two thousand five"


def test_numbers_that_no_word_reaches_are_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        cardinal_words(10**9)
