"""Whatever a side may hold: it is compared, formatted or refused, never with a traceback."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sandmle.errors import SpecError
from sandmle.review.comparison import Content, compare, read_side
from sandmle.review.report import Reviewed, as_data, markdown, text_lines
from sandmle.spec.format import format_text
from sandmle.spec.layout import dump_data
from sandmle.spec.lint import lint_source
from sandmle.spec.yaml_source import parse_source
from sandmle.vocabulary import load_vocabulary
from tests.spec.damage import SPECS, damaged_specs

VOCABULARY = load_vocabulary()


@settings(max_examples=80)
@given(before=st.sampled_from(SPECS), after=damaged_specs())
def test_a_damaged_spec_is_compared(before: dict[str, Any], after: dict[str, Any]) -> None:
    sides = [
        read_side(Content("x.yaml", "x.yaml", dump_data(data).encode()), VOCABULARY)
        for data in (before, after)
    ]
    for one, other in (sides, sides[::-1]):
        review = Reviewed(compare(one, other, VOCABULARY))
        assert list(text_lines(review, VOCABULARY))
        assert markdown([review], VOCABULARY)
        assert as_data(review)["status"] in ("changed", "renamed", "same")


@settings(max_examples=80)
@given(after=damaged_specs())
def test_a_damaged_spec_is_formatted_and_linted(after: dict[str, Any]) -> None:
    text = dump_data(after)
    lint_source(parse_source(text, file="x.yaml"), VOCABULARY)
    once = format_text(text, file="x.yaml", vocabulary=VOCABULARY)
    assert format_text(once, file="x.yaml", vocabulary=VOCABULARY) == once
    assert parse_source(once, file="x.yaml").data == parse_source(text, file="x.yaml").data


CHARACTERS = st.sampled_from([*list("0ab:{}[],# \n-\t|>\"'"), "- ", "  # c\n", " # d\n", "\n\n"])


@settings(max_examples=200)
@given(
    data=st.sampled_from(SPECS),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), CHARACTERS), max_size=3),
)
def test_damaged_text_is_refused_or_keeps_all(
    data: dict[str, Any], edits: list[tuple[float, int, str]]
) -> None:
    text = dump_data(data)
    for place, cut, written in edits:
        at = int(place * len(text))
        text = text[:at] + written + text[at + cut :]
    try:
        once = format_text(text, file="x.yaml", vocabulary=VOCABULARY)
    except SpecError:
        return
    assert format_text(once, file="x.yaml", vocabulary=VOCABULARY) == once
