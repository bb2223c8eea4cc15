"""Public files by the sample that they belong to."""

from __future__ import annotations

import base64
import bz2
import gzip
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.build.auditing import Examined
from sandmle.build.evidence.public_files import unpacked
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import Changed, grader, with_column, with_files


def test_several_files_a_sample_are_a_series_each(prepared: Prepared) -> None:
    files = {
        f"scans/{name}_{number}.png": bytes([number])
        for name in prepared.dataset.ids
        for number in (1, 2)
    }
    task = Examined(with_files(prepared, {**files, "notes.txt": b"x"}), grader(prepared))
    first, second = task.series
    assert (first.name, second.name) == ("scans/{id}_1.png", "scans/{id}_2.png")
    assert first.rows.tolist() == list(range(600))
    assert set(second.contents) == {b"\2"}
    assert task.shared_texts == {"notes.txt": "x"}


def test_files_that_show_training_labels_are_no_series(prepared: Prepared) -> None:
    train = prepared.dataset.ids[prepared.dataset.train]
    files = {f"train_clean/{name}.png": b"x" for name in train}
    assert Examined(with_files(prepared, files), grader(prepared)).series == ()


def test_files_that_cells_name(prepared: Prepared, changed: Changed) -> None:
    names = [f"{place}.bin" for place in range(600)]
    task = changed(with_column(prepared, "scan", names))
    examined = Examined(with_files(task, {f"scans/{name}": b"x" for name in names}), grader(task))
    (series,) = examined.series
    by_row = examined.competition.frame["scan"]
    assert [path.rpartition("/")[2] for path in series.paths] == list(by_row)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, base64.b64encode])
def test_what_is_packed(pack: object) -> None:
    content = b"id,label\n" * 20
    assert callable(pack)
    assert unpacked(pack(content)) == content


@given(st.sampled_from([b"", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"PK"]), st.binary(max_size=99))
def test_what_is_not_packed_stays_as_it_is(magic: bytes, rest: bytes) -> None:
    assert isinstance(unpacked(magic + rest), bytes)
