"""Edits by tools: the value changes, every other byte stays."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.errors import SpecError
from sandmle.spec.edit import set_thresholds, set_value, write_thresholds
from sandmle.spec.layout import dump_data
from sandmle.spec.load import load_spec
from sandmle.spec.model import Thresholds
from sandmle.spec.yaml_source import parse_source, value_at

THRESHOLDS = Thresholds(0.6, 0.7, 0.8, 0.9)
LINE = "thresholds: {median: 0.6, bronze: 0.7, silver: 0.8, gold: 0.9}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "noise: []  # none\n\n# the Writer\nnarrative: {a: 1}\n",
            f"noise: []  # none\n{LINE}\n\n# the Writer\nnarrative: {{a: 1}}\n",
        ),
        ("a: 1", f"a: 1\n{LINE}\n"),
        ("# c\nnarrative: 1\n", f"# c\n{LINE}\nnarrative: 1\n"),
        (
            "thresholds: { gold: 1,   silver: 2, bronze: 3, median: 4 } # by hand\nb: 'x'\n",
            "thresholds: { gold: 0.9,   silver: 0.8, bronze: 0.7, median: 0.6 } # by hand\n"
            "b: 'x'\n",
        ),
        (
            "thresholds:\n    median: .5   # why\n    bronze: 1\n\n    silver: 2\n    gold: 3\n",
            "thresholds:\n    median: 0.6   # why\n    bronze: 0.7\n\n    silver: 0.8\n"
            "    gold: 0.9\n",
        ),
        ("thresholds:\nb: 1\n", f"{LINE}\nb: 1\n"),
        ("thresholds: {median: 1}\nb: 1\n", f"{LINE}\nb: 1\n"),
        ("a: |\n  x\n\nnarrative: 1\n", f"a: |\n  x\n\n{LINE}\nnarrative: 1\n"),
        ("a: 1\r\nnarrative: 2\r\n", f"a: 1\r\n{LINE}\r\nnarrative: 2\r\n"),
        ("{a: 1, narrative: 2}", f"{{a: 1, {LINE}, narrative: 2}}"),
    ],
)
def test_thresholds_are_set_and_all_else_stays(before: str, after: str) -> None:
    assert set_thresholds(before, THRESHOLDS) == after


def test_setting_the_same_thresholds_again_changes_nothing() -> None:
    once = set_thresholds("a: 1\nnarrative: 2\n", THRESHOLDS)
    assert set_thresholds(once, THRESHOLDS) == once


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ("a: 1 # x\n", ("a",), "no", 'a: "no" # x\n'),
        ("a:   {b: [1, 2]}\n", ("a", "b", 1), 2.5, "a:   {b: [1, 2.5]}\n"),
        ("a:\n- 1\n- 2\nb: 3\n", ("a",), [4], "a: [4]\nb: 3\n"),
        ("a:\n  # why\n  - 1\n", ("a",), [4], "a:\n  # why\n  [4]\n"),
        ("a: >-\n  long\n  text\n\n# b\nb: 1\n", ("a",), "x", "a: x\n\n# b\nb: 1\n"),
        ("a:\n  - x: 1\n    y: 2 # y\n  - 2\n", ("a", 0, "z"), 3,
         "a:\n  - x: 1\n    y: 2 # y\n    z: 3\n  - 2\n"),
        ("a: {}\n", ("a", "b"), [], "a: {b: []}\n"),
        ("a:\n", ("a",), 1, "a: 1\n"),
        ("a: 'it''s'\n", ("a",), "it's", "a: it's\n"),
    ],
)  # fmt: skip
def test_values_are_set_in_place(
    before: str, path: tuple[str | int, ...], value: Any, after: str
) -> None:
    assert set_value(before, path, value) == after


def test_what_cannot_be_edited_is_told() -> None:
    with pytest.raises(SpecError, match="duplicate key"):
        set_value("a: 1\na: 2\n", ("a",), 3)
    with pytest.raises(KeyError):
        set_value("a: [1]\n", ("a", 1), 3)
    with pytest.raises(KeyError):
        set_value("a: 1\n", ("b", "c"), 3)


def test_a_file_keeps_its_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes("\ufeffa: ä\r\nnarrative: 1\r\n".encode())
    write_thresholds(path, THRESHOLDS)
    assert path.read_bytes() == f"\ufeffa: ä\r\n{LINE}\r\nnarrative: 1\r\n".encode()
    assert [found.name for found in tmp_path.iterdir()] == ["x.yaml"]


def test_a_spec_file_gets_its_thresholds(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "example.yaml").read_text(encoding="utf-8")
    path = tmp_path / "example.yaml"
    path.write_text(text, encoding="utf-8")
    write_thresholds(path, THRESHOLDS)
    assert load_spec(path).thresholds == THRESHOLDS
    assert path.read_text(encoding="utf-8").replace(f"{LINE}\n", "") == text


_KEYS = st.sampled_from(["a", "b", "c d", "no", "#"])
_SCALARS = st.integers(-9, 9) | st.sampled_from(["x", "no", "a: b", "long " * 30, "p\nq", ""])
_DATA = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=10,
)


@given(st.data())
def test_any_edit_gives_the_data_that_was_meant(draw: st.DataObject) -> None:
    data = draw.draw(st.dictionaries(_KEYS, _DATA, min_size=1, max_size=4))
    text = dump_data(data)
    source = parse_source(text, file="x.yaml")
    paths = [path for path in source.values if path]
    mappings = [path for path in source.values if isinstance(value_at(data, path), dict)]
    if draw.draw(st.booleans()):
        path = draw.draw(st.sampled_from(paths))
    else:
        path = (*draw.draw(st.sampled_from(mappings)), draw.draw(_KEYS))
    value = draw.draw(_DATA)
    meant = copy.deepcopy(data)
    value_at(meant, path[:-1])[path[-1]] = value
    assert parse_source(set_value(text, path, value), file="x.yaml").data == meant
