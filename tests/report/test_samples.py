from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.report.samples import read_samples
from tests.report.overviews import picture, sound


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


def test_sounds_and_recordings_belong_to_the_sample_that_they_are_named_after(public: Path) -> None:
    (public / "calls").mkdir()
    (public / "calls" / "b0.wav").write_bytes(sound())
    (public / "traces").mkdir()
    (public / "traces" / "b1.csv").write_text("rim,flank\n1,5\n4,2\n2,2\n")
    (public / "traces" / "c1.csv").write_text("rim,flank\n9,9\n")
    by_id = {sample.id: sample for sample in read_samples(public, 9)}
    assert by_id["b0"].sounds == {"calls/b0.wav": sound()}
    assert by_id["b1"].series == {"rim": (1.0, 4.0, 2.0), "flank": (5.0, 2.0, 2.0)}
    assert by_id["b2"].series == {}


def test_tables_of_edges_and_nodes_are_a_graph_and_no_series(public: Path) -> None:
    (public / "bonds.csv").write_text("id,a,b\nb0,1,0\nb0,0,2\nb1,0,1\n")
    (public / "atoms.csv").write_text(
        "id,x,atom,element,y\nb0,0,0,C,0\nb0,1,1,O,0\nb0,0,2,H,1\nb1,0,0,C,0\nb1,1,1,H,2\n"
    )
    by_id = {sample.id: sample for sample in read_samples(public, 9)}
    graph = by_id["b0"].graph
    assert graph is not None
    assert graph.labels == ("C", "O", "H")
    assert graph.edges == ((1, 0), (0, 2))
    assert graph.places == ((0, 0), (1, 0), (0, 1))
    assert graph.marks == ()
    assert graph.summary == "3 nodes, 2 edges: C 1, H 1, O 1"
    assert by_id["b0"].series == {}
    assert by_id["b2"].graph is None


def test_a_row_of_the_main_table_marks_two_nodes(public: Path) -> None:
    (public / "train.csv").write_text("id,from,to,near\nb0,3,0,1\nb1,1,2,0\n")
    (public / "test.csv").write_text("id,from,to\nc1,0,1\n")
    (public / "edges.csv").write_text("id,a,b\nb0,2,1\nb0,0,1\nb0,0,2\nb1,0,1\n")
    by_id = {sample.id: sample for sample in read_samples(public, 9)}
    graph = by_id["b0"].graph
    assert graph is not None
    assert (len(graph.labels), graph.marks) == (4, (3, 0))
