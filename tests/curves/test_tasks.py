"""The table of tasks: strips and gains."""

from __future__ import annotations

from pathlib import Path

from sandmle.curves.runs import read_training_runs
from sandmle.curves.tasks import TaskTable, task_tables
from tests.curves.trainings import step_line, write_training


def table(folder: Path, *rewards: dict[str, float]) -> TaskTable:
    lines = [step_line(step, reward_by_task=found) for step, found in enumerate(rewards, 1)]
    (run,) = read_training_runs([write_training(folder / "run", lines)])
    (found,) = task_tables(run)
    return found


def test_a_gain_is_between_the_first_and_the_last_third(tmp_path: Path) -> None:
    rewards = (0.1, 0.3, 0.9, 0.5, 0.6, 0.8)
    (row,) = table(tmp_path, *({"a": reward} for reward in rewards)).rows
    assert (row.first, row.last, row.gain, row.played) == (0.2, 0.7, 0.5, 6)


def test_what_gained_most_comes_first_and_what_was_played_once_last(tmp_path: Path) -> None:
    found = table(
        tmp_path, {"a": 0.5, "b": 0.2, "d": 0.4}, {"a": 0.4, "b": 0.9, "c": 1.0, "d": 0.4}
    )
    assert [(row.task, row.gain) for row in found.rows] == [
        *(("b", 0.7), ("d", 0.0), ("a", -0.1), ("c", None)),
    ]
    assert found.summary == "1 gained, 1 lost, 1 as before"


def test_a_strip_keeps_its_colour_until_the_task_is_played_again(tmp_path: Path) -> None:
    found = table(tmp_path, {"b": 0}, {"a": 0.05}, {"b": 0}, {"a": 0.09}, {"a": 1.0}, {"b": 0})
    strips = {row.task: row.strip for row in found.rows}
    assert found.cells == 6
    assert strips["a"] == ((0, "M1 0h3v1h-3z"), (9, "M4 0h2v1h-2z"))
    assert strips["b"] == ((0, "M0 0h6v1h-6z"),)


def test_many_steps_share_cells(tmp_path: Path) -> None:
    found = table(tmp_path, *({"a": 0.0 if step < 48 else 0.5} for step in range(96)))
    (row,) = found.rows
    assert found.cells == 48
    assert row.strip == ((0, "M0 0h24v1h-24z"), (5, "M24 0h24v1h-24z"))
