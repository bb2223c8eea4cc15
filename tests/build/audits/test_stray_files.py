"""Files that the spec does not tell of."""

from __future__ import annotations

import pytest

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import Changed, caught, passes


@pytest.mark.parametrize("path", ["answers.csv", ".cache/labels.npy", "scans/abc.png", "notes.md~"])
def test_a_file_that_no_word_writes(path: str, prepared: Prepared, changed: Changed) -> None:
    assert caught("stray_files", changed({path: b"x"})) == path


def test_a_file_that_lies_on_disk_alone(prepared: Prepared) -> None:
    (prepared.public / "train.csv.orig").write_bytes(b"x")
    assert caught("stray_files", prepared) == "train.csv.orig"


def test_many_are_counted(prepared: Prepared, changed: Changed) -> None:
    many = changed({f"{place}.txt": b"x" for place in range(5)})
    assert caught("stray_files", many) == "0.txt, 1.txt, 2.txt and 2 more"


def test_none(prepared: Prepared) -> None:
    passes("stray_files", prepared)
