from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.report.samples import read_samples
from tests.report.overviews import picture


@pytest.fixture
def public(tmp_path: Path) -> Path:
    rows = [f"b{n},{n}.5,{'yes' if n % 3 == 0 else 'no'}" for n in range(9)]
    (tmp_path / "train.csv").write_text("id,moisture,has_damage\n" + "\n".join(rows) + "\n")
    (tmp_path / "test.csv").write_text("id,moisture\nc1,2\n")
    (tmp_path / "sample_submission.csv").write_text("id,has_damage\nc1,no\n")
    return tmp_path


def test_samples_take_turns_through_the_classes(public: Path) -> None:
    samples = read_samples(public, 4)
    assert [sample.label for sample in samples] == ["no", "yes", "no", "yes"]
    assert samples[0].cells == {"moisture": "1.5"}


def test_numbers_are_spread_from_the_least_to_the_greatest(public: Path) -> None:
    rows = [f"b{n},0,{n}.25" for n in (5, 30, 1, 12, 100, 7)]
    (public / "train.csv").write_text("id,moisture,load\n" + "\n".join(rows) + "\n")
    labels = [float(sample.label) for sample in read_samples(public, 3)]
    assert labels == [1.25, 7.25, 100.25]


def test_files_belong_to_the_sample_that_they_are_named_after(public: Path) -> None:
    (public / "images").mkdir()
    (public / "images" / "b0.png").write_bytes(picture())
    (public / "notes").mkdir()
    (public / "notes" / "b0.txt").write_text("it rattles")
    by_id = {sample.id: sample for sample in read_samples(public, 9)}
    assert by_id["b0"].pictures == {"images/b0.png": picture()}
    assert by_id["b0"].texts == {"notes/b0.txt": "it rattles"}
    assert by_id["b1"].pictures == {}


def test_a_second_table_gives_the_numbers_of_each_sample_in_its_order(public: Path) -> None:
    steps = range(4)
    rows = [
        f"b{n},{step},{value},V" for step in steps for n, value in ((1, 9 - step**2), (0, step))
    ]
    rows[0] = rows[0].replace(",9,", ",,")
    (public / "sensors").mkdir()
    text = "id,step,value,unit\n" + "\n".join(rows) + "\n"
    (public / "sensors" / "readings.csv").write_text(text)
    by_id = {sample.id: sample for sample in read_samples(public, 9)}
    assert by_id["b1"].series == {"value": (8.0, 5.0, 0.0)}, "steps only count"
    assert by_id["b0"].series == {"value": (0.0, 1.0, 2.0, 3.0)}
    assert by_id["b2"].series == {}


def test_of_several_targets_the_label_names_those_that_hold(public: Path) -> None:
    text = "id,moisture,red,round\nb0,1,1,0\nb1,1,0,0\nb2,1,1,1\n"
    (public / "train.csv").write_text(text)
    assert {sample.label for sample in read_samples(public, 9)} == {"none", "red", "red, round"}
