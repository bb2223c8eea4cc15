"""Files that others read: whole, in groups, and what is said where Parquet cannot be written."""

from __future__ import annotations

import json
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest

from sandmle.sft.example import example
from sandmle.sft.files import check_format, write_rows
from tests.sft.examples import read_lines, won


def row(number: int = 0, *, code: str = "print('é')") -> dict[str, Any]:
    own = {"tokens": 7, "split": "train", "source": f"run:{number}"}
    return {**example(won(code, attempt=number)), **own}


def test_parquet_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    rows = [row(number) for number in range(250)]
    write_rows(path, rows)
    assert pyarrow.parquet.read_table(path).to_pylist() == rows
    assert pyarrow.parquet.ParquetFile(path).num_row_groups == 3
    assert [file.name for file in tmp_path.iterdir()] == ["out.parquet"]


def test_pandas_reads_the_chats(tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    write_rows(path, [row()])
    read: Any = pd.read_parquet(path).iloc[0]
    assert [said["role"] for said in read.messages][:3] == ["system", "user", "assistant"]
    (call,) = read.messages[2]["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"code": "print('é')"}
    assert read.medal == "silver"


def test_arguments_and_tools_are_marked_as_json(tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    write_rows(path, [row()])
    schema = str(pyarrow.parquet.ParquetFile(path).schema)
    assert "arguments (JSON)" in schema
    assert "tools (JSON)" in schema


def test_json_lines_hold_the_same_rows(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    rows = [row(number) for number in range(3)]
    write_rows(path, rows)
    assert read_lines(path) == rows
    assert "é" in path.read_text("utf-8")


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_a_file_is_whole_or_as_it_was(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out.{ending}"
    path.write_text("before")

    def failing() -> Iterator[dict[str, Any]]:
        yield from (row(number) for number in range(150))
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        write_rows(path, failing())
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_must_say_its_format(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"ends in \.parquet or \.jsonl"):
        check_format(tmp_path / "out.csv")


def test_parquet_without_its_library_is_told_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'sandmle\[parquet\]'"):
        check_format(tmp_path / "out.parquet")
    check_format(tmp_path / "out.jsonl")


class Tracked(dict[str, Any]):
    """A row whose end can be seen."""

    __hash__ = object.__hash__  # type: ignore[assignment]


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_rows_go_out_as_they_come(tmp_path: Path, ending: str) -> None:
    alive: weakref.WeakSet[Tracked] = weakref.WeakSet()
    plain, sizes, most = row(code="x = 1\n" * 500), [], 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal most
        for number in range(1000):
            tracked = Tracked(plain, attempt=number)
            alive.add(tracked)
            most = max(most, len(alive))
            sizes.append(sum(file.stat().st_size for file in tmp_path.iterdir()))
            yield tracked

    write_rows(tmp_path / f"out.{ending}", rows())
    assert most <= 201
    assert 0 < sizes[250] < sizes[500] < sizes[999]
