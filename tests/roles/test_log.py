"""The log of a folder of drafts survives being cut off anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.errors import SpecError
from sandmle.roles.log import LOG_FILE, Line, append_line, drop_last_line, read_log

LINES = [Line("p", "wine", n, f"x-{n}", False, ({"because": "too hard"},)) for n in range(3)]


def test_lines_come_back(tmp_path: Path) -> None:
    assert read_log(tmp_path) == []
    for line in LINES:
        append_line(tmp_path, line)
    assert read_log(tmp_path) == LINES
    drop_last_line(tmp_path)
    assert read_log(tmp_path) == LINES[:2]


@pytest.mark.parametrize("cut", [1, 2, 30, 60])
def test_a_line_that_was_cut_off_is_written_over(tmp_path: Path, cut: int) -> None:
    for line in LINES:
        append_line(tmp_path, line)
    path = tmp_path / LOG_FILE
    path.write_bytes(path.read_bytes()[:-cut])
    assert read_log(tmp_path) == LINES[:2]
    append_line(tmp_path, LINES[2])
    assert read_log(tmp_path) == LINES


def test_what_is_no_log_is_named(tmp_path: Path) -> None:
    (tmp_path / LOG_FILE).write_text("{}\n")
    with pytest.raises(SpecError, match=rf"{LOG_FILE}:1:1: not a line of this log"):
        read_log(tmp_path)
