"""Files appear whole or not at all, and what killed processes left is taken away."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sandmle.writing import sweep, write_new


def test_a_new_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    write_new(path, "first")
    with pytest.raises(FileExistsError):
        write_new(path, "second")
    assert path.read_text() == "first"
    assert os.listdir(tmp_path) == ["a.yaml"]


def test_only_what_dead_processes_left_is_swept(tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    kept = ["a.yaml", ".notes.2", f".b.yaml.{os.getpid()}", ".c.yaml.swp", f".d.yaml.{10**30}"]
    for name in (*kept, f".e.yaml.{dead.pid}"):
        (tmp_path / name).write_text("")
    sweep(tmp_path, ".yaml")
    assert sorted(os.listdir(tmp_path)) == sorted(kept)
