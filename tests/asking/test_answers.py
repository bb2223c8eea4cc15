"""What models write is data that may be cut off, beside the point, or hostile."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.asking.answers import MAX_CHARACTERS, read_answer
from sandmle.asking.reply import Reply
from sandmle.spec.layout import dump_data


def read(text: str, finish: str = "stop", refusal: str = "") -> tuple[object, str]:
    source = read_answer(Reply("key", text, finish, refusal))
    return source.data, "; ".join(problem.message for problem in source.problems)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: [x]",
        '{"a": 1, "b": ["x"]}',
        "```yaml\na: 1\nb: [x]\n```",
        "Here you are:\n\n```yml\na: 1\nb: [x]\n```\nI hope that it serves.",
        '```json\n{"a": 1, "b": ["x"]}\n```',
        "```\na: 1\nb: [x]\n```",
        "<think>a: 2? ```yaml\na: 2\n``` no.</think>\n```yaml\na: 1\nb: [x]\n```",
        "First a draft:\n```yaml\na: 0\n```\nand mended:\n```yaml\na: 1\nb: [x]\n```",
    ],
)
def test_the_last_block_or_all_of_it_is_the_answer(text: str) -> None:
    assert read(text) == ({"a": 1, "b": ["x"]}, "")


@pytest.mark.parametrize(
    ("text", "finish"),
    [("a: 1\nb: [x", "length"), ("```yaml\na: 1\nb:", "stop"), ("```yaml\na: 1", "length")],
)
def test_an_answer_that_was_cut_off(text: str, finish: str) -> None:
    data, told = read(text, finish)
    assert data is None
    assert "cut off" in told


@pytest.mark.parametrize(
    ("text", "finish", "refusal"),
    [("", "stop", "I cannot help with that."), ("", "content_filter", "")],
)
def test_a_refusal(text: str, finish: str, refusal: str) -> None:
    assert read(text, finish, refusal)[1].startswith("no answer was given")


@pytest.mark.parametrize("text", ["", "  \n", "- a\n- b", "just words", "42", "```yaml\n```"])
def test_what_is_no_mapping(text: str) -> None:
    data, told = read(text)
    assert data is None
    assert told


LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{before}, *{before}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (LAUGHS, "anchors are not allowed"),
        ("a: *b", "undefined alias|aliases are not allowed"),
        ("a: !!python/object/apply:os.system [ls]", "tags are not allowed"),
        ("base: {x: 1}\n<<: {y: 2}", "merge keys"),
        ("a: 99999999999999999999999", "does not fit into 64 bits"),
        ("a: " + "9" * 9_000, "does not fit into 64 bits"),
        ("a: .inf", "not a finite number"),
        ("a: 1e999", "not a finite number"),
        ("a: " + "[" * 20_000, "nested deeper|maximum nesting depth"),
        ("a: " + "[" * 40, "nested deeper"),
        ("a: 1\na: 2", "duplicate key"),
        ("%YAML 1.1\n---\na: 1", "directives"),
        ("a: 1\n---\nb: 1", "a second document"),
        ("a: \x00", "not allowed"),
        ("a: " + "x" * MAX_CHARACTERS, "longer than"),
        ("a: 1\n" * MAX_CHARACTERS, "longer than"),
    ],
)
def test_hostile_answers_are_refused_at_once(text: str, told: str) -> None:
    source = read_answer(Reply("key", text, "stop"))
    assert source.problems
    assert any(
        part in problem.message for problem in source.problems for part in told.split("|")
    ), source.problems


@given(st.text(max_size=300))
def test_any_text_is_data_or_has_problems(text: str) -> None:
    source = read_answer(Reply("key", text, "stop"))
    assert isinstance(source.data, dict) or source.problems


PLAIN = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S")), max_size=12).filter(
    lambda text: "</think>" not in text  # all before it is thought, and no answer
)
DATA = st.dictionaries(PLAIN.filter(bool), st.one_of(PLAIN, st.integers(-9, 9), st.lists(PLAIN)))


@given(DATA.filter(bool), st.booleans())
def test_good_answers_are_read_as_they_were_meant(data: dict[str, object], as_json: bool) -> None:
    written = json.dumps(data) if as_json else dump_data(data)
    assert read(f"```yaml\n{written}\n```")[0] == data
