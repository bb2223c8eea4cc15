"""Strict YAML: what scalars mean, where things stand, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.errors import SpecError
from sandmle.spec.layout import dump_data
from sandmle.spec.yaml_source import (
    MAX_BYTES,
    MAX_DEPTH,
    Source,
    dotted,
    parse_source,
    read_source,
)


def parsed(text: str) -> Source:
    return parse_source(text, file="x.yaml")


def problems(text: str) -> list[str]:
    return [str(problem) for problem in parsed(text).problems]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("y", "y"),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-7", -7),
        ("+7", 7),
        ("0777", 777),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2024-01-31", "2024-01-31"),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-2.5E-3", -0.0025),
        ("1e", "1e"),
        ("e5", "e5"),
        ("'12'", "12"),
        ('"no"', "no"),
        ("0b1", "0b1"),
        ("9223372036854775807", 2**63 - 1),
    ],
)
def test_scalars_follow_the_core_schema_of_yaml_1_2(written: str, meant: Any) -> None:
    value = parsed(f"a: {written}\n").data["a"]
    assert value == meant
    assert type(value) is type(meant)


def test_keys_and_values_have_their_places() -> None:
    source = parsed('a: 1\nb:\n  - {c: "x"}\n')
    key, value = source.keys["b", 0, "c"], source.values["b", 0, "c"]
    assert (key.line, key.column) == (3, 6)
    assert (value.line, value.column) == (3, 9)
    assert source.text[value.start : value.end] == '"x"'


@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_an_offset_moves_the_column_into_the_text(quote: str) -> None:
    source = parsed(f"a: {quote}crack + moistrue{quote}\n")
    problem = source.at_value(("a",), "unknown", offset=8)
    assert source.text[problem.column - 1 :].startswith("moistrue")


def test_an_offset_stays_at_the_start_where_the_text_is_written_otherwise() -> None:
    source = parsed("a: >-\n  crack +\n  moistrue\n")
    assert source.at_value(("a",), "unknown", offset=8).column == 4


def test_all_faults_are_reported_at_once() -> None:
    text = "a: &x 1\nb: *x\nc: !!str 2\na: 3\n1: 4\n<<: {d: 5}\nd: .nan\ne: {f: 1, f: 2}\n"
    assert problems(text) == [
        "x.yaml:1:4: a: anchors are not allowed; remove &x",
        "x.yaml:2:4: b: aliases are not allowed; write the value of *x",
        "x.yaml:3:4: c: tags are not allowed; remove !!str",
        "x.yaml:4:1: a: duplicate key 'a'; it stands in line 1 already",
        "x.yaml:5:1: a key must be text; put 1 in quotes",
        "x.yaml:6:1: merge keys ('<<') are not allowed; write the values out",
        "x.yaml:7:4: d: .nan is not a finite number",
        "x.yaml:8:11: e.f: duplicate key 'f'; it stands in line 8 already",
    ]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a:\n\tb: 1\n", "2:1", "spaces, not tabs"),
        ("a: b: c\n", "1:5", "quote text"),
        ("a: {b: 1\nc: 2\n", "1:4", "noticed in line 2"),
        ('a: "b\n', "2:1", "closing quote"),
        ("", "1:1", "empty"),
        ("# only a comment\n", "1:1", "empty"),
        ("---\n", "1:1", "empty"),
        ("null\n", "1:1", "empty"),
        ("a: 1\n---\nb: 2\n", "2:1", "second document"),
        ("%YAML 1.1\n---\na: 1\n", "1:1", "directives"),
        ("a: 99999999999999999999\n", "1:4", "64 bits"),
        ("a: 1e999\n", "1:4", "finite"),
        ("? [a]\n: 1\n", "1:3", "a key must be text"),
        ("a: \x07\n", "1:4", "U+0007"),
        ("a: x\u2028y\n", "1:5", "U+2028"),
        ("[" * 100, f"1:{MAX_DEPTH + 1}", "deeper"),
        ("[" * 100_000, "1:1001", "nesting depth"),
        ("a: " + "x" * MAX_BYTES, "1:1", "larger"),
    ],
)
def test_what_is_not_plain_data_is_refused_at_its_place(text: str, place: str, words: str) -> None:
    found = parsed(text)
    assert len(found.problems) == 1
    problem = str(found.problems[0])
    assert problem.startswith(f"x.yaml:{place}: ")
    assert words in problem


def test_a_hundred_aliases_of_aliases_stay_cheap() -> None:
    laughs = ["a0: &a0 [x, x]"]
    laughs += [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 100)]
    assert all("not allowed" in problem for problem in problems("\n".join(laughs)))


def test_a_file_is_read_with_and_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes("\ufeffa: ä\r\nb: 2\r\n".encode())
    source = read_source(path)
    assert source.data == {"a": "ä", "b": 2}
    assert source.keys["b",][:2] == (2, 1)


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        (b"a: 1\nb: \xe4\n", "2:4", "0xe4 is not UTF-8"),
        (b"a: 1\n" * MAX_BYTES, "1:1", "256 KiB"),
    ],
)
def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, content: bytes, place: str, words: str
) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(content)
    with pytest.raises(SpecError, match=words) as caught:
        read_source(path)
    assert f":{place}: " in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read: No such file"):
        read_source(tmp_path / "x.yaml")
    with pytest.raises(SpecError, match="cannot be read: Is a directory"):
        read_source(tmp_path)


def test_paths_are_shown_relative_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "specs").mkdir()
    path = tmp_path / "specs" / "x.yaml"
    path.write_text("a: 1")
    monkeypatch.chdir(tmp_path)
    assert read_source(path).file == "specs/x.yaml"
    monkeypatch.chdir(tmp_path / "specs")
    assert read_source(path).file == "x.yaml"


def test_dotted_paths() -> None:
    assert dotted(("observe", 2, "of")) == "observe[2].of"
    assert dotted(()) == ""


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXT
    | st.from_regex(r"[-+]?[0-9._eox]{1,6}|[#&*!|>%@`?:,\[\]{} -]{1,4}", fullmatch=True)
)
_DATA = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(_TEXT, _DATA, min_size=1, max_size=5))
def test_what_is_written_is_read_again(data: dict[str, Any]) -> None:
    source = parsed(dump_data(data))
    assert source.problems == ()
    assert repr(source.data) == repr(data)


@given(st.text(max_size=60) | st.text("ab:-[]{},&*!|>'\"#?%\n \t1.", max_size=60))
def test_any_text_gives_data_or_problems_within_it(text: str) -> None:
    source = parsed(text)
    lines = text.count("\n") + text.count("\r") + 2
    assert source.problems or source.data is not None
    for problem in source.problems:
        assert 1 <= problem.line <= lines
        assert problem.column >= 1
