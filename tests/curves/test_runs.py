"""What is read of a training's folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.curves.runs import (
    mean_seconds,
    number,
    read_training_runs,
    split_seconds,
    training_pages,
)
from tests.curves.trainings import step_line, validation_line, write_training


def test_lines_are_ordered_and_the_last_of_a_step_counts(tmp_path: Path) -> None:
    lines = [
        step_line(2, reward=0.1),
        validation_line(0),
        step_line(1),
        step_line(2, reward=0.7),
        {**step_line(3), "step": "3"},
        {**step_line(4), "split": "other"},
    ]
    (run,) = read_training_runs([write_training(tmp_path / "run", lines)])
    assert [(line["step"], line["reward"]) for line in run.train] == [(1, 0.4), (2, 0.7)]
    assert [line["step"] for line in run.validation] == [0]
    assert (run.steps, run.planned) == (2, 30)
    assert run.seconds == 4.0 + 4.0 + 2.0


def test_a_run_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    folder = write_training(tmp_path / "run", [step_line(1)])
    assert len(read_training_runs([folder, folder / ".." / "run"])) == 1


@pytest.mark.parametrize(
    "value", [None, "1", True, [1], float("nan"), float("inf"), 10**400, -1e16]
)
def test_what_is_no_number_is_none(value: object) -> None:
    assert number({"a": {"b": value}}, "a", "b") is None
    assert number({"a": value}, "a", "b") is None


def test_other_is_what_the_parts_leave_of_a_step() -> None:
    seconds = {"generate": 0.5, "sandbox": 1.0, "score": 0.4, "update": 1.0, "step": 4.0}
    assert split_seconds({"seconds": seconds})["other"] == pytest.approx(1.1)
    assert split_seconds({"seconds": {**seconds, "sandbox": 9.0}})["other"] == 0.0
    assert "other" not in split_seconds({"seconds": {"generate": 1.0}})
    assert split_seconds({"seconds": {"step": 1.0}}) == {}


def test_means_are_over_the_steps_that_tell() -> None:
    lines = [
        {"seconds": {"generate": 1.0, "step": 4.0}},
        {"seconds": {"generate": 2.0}},
        {"seconds": {"step": 2.0}},
    ]
    assert mean_seconds(lines) == {"generate": 1.5, "other": 3.0, "step": 3.0}


def test_the_pages_of_trainings_are_found(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    folder = write_training(runs / "a & b", [step_line(1)])
    write_training(runs / "other", [step_line(1)])
    (folder / "training.html").write_text("")
    assert training_pages(runs, tmp_path / "build") == [
        {"name": "a & b", "href": "../runs/a%20%26%20b/training.html"}
    ]
