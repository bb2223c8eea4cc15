"""A data set is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sandmle.runtime.dataset import Dataset, write_dataset


def make_dataset(public: dict[str, bytes]) -> Dataset:
    empty = np.array([])
    return Dataset(empty, empty, {}, {}, {}, {}, public, {"answers.csv": b"id\n"})


def test_files_lie_under_public_and_private(tmp_path: Path) -> None:
    write_dataset(make_dataset({"train.csv": b"1", "images/a.png": b"2"}), tmp_path / "new" / "out")
    out = tmp_path / "new" / "out"

    assert (out / "public" / "train.csv").read_bytes() == b"1"
    assert (out / "public" / "images" / "a.png").read_bytes() == b"2"
    assert (out / "private" / "answers.csv").read_bytes() == b"id\n"
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    write_dataset(make_dataset({"train.csv": b"1"}), tmp_path)

    assert (tmp_path / "public" / "train.csv").exists()


@pytest.mark.parametrize("name", ["file", "full"])
def test_what_is_there_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes").write_text("mine")
    with pytest.raises(FileExistsError, match=f"{name} is not an empty folder"):
        write_dataset(make_dataset({"train.csv": b"1"}), tmp_path / name)

    assert (tmp_path / "file").read_text() == "mine"
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes"]


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="x" * 300):
        write_dataset(make_dataset({"a": b"1", "x" * 300: b"2"}), tmp_path / "out")

    assert list(tmp_path.iterdir()) == []
