"""A run's folder is opened once, and resumed only as what it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.train.configuration import Training
from sandmle.train.dataset import Tasks
from sandmle.train.folder import last_checkpoint, open_run, write_summary
from sandmle.train.metrics import append_metrics, read_metrics
from tests.train.test_dataset import task

TASKS = Tasks((task("a"), task("b")), (task("c"),))


def test_a_folder_that_holds_a_run_is_not_trained_into(
    small: Callable[..., Training], tmp_path: Path
) -> None:
    assert open_run(tmp_path, small(), TASKS, resume=False) is None
    with pytest.raises(ValueError, match="--resume"):
        open_run(tmp_path, small(), TASKS, resume=False)


def test_another_run_is_not_resumed(small: Callable[..., Training], tmp_path: Path) -> None:
    open_run(tmp_path, small(), TASKS, resume=False)
    changed = replace(TASKS.train[0], digests={"spec": "1" * 64})
    tasks = Tasks((changed, TASKS.train[1]), TASKS.validation)
    with pytest.raises(ValueError, match=r"training\.seed.*") as caught:
        open_run(tmp_path, small(seed=1), tasks, resume=True)
    assert "tasks.train.a.spec" in str(caught.value)


def test_a_run_is_not_resumed_on_other_rates(
    small: Callable[..., Training], tmp_path: Path
) -> None:
    tasks = replace(TASKS, solved={"a": (1, 4)})
    open_run(tmp_path, small(), tasks, resume=False)
    open_run(tmp_path, small(), tasks, resume=True)
    with pytest.raises(ValueError, match=r"tasks\.solved"):
        open_run(tmp_path, small(), replace(tasks, solved={"a": (2, 4)}), resume=True)


def test_what_comes_again_is_taken_away(small: Callable[..., Training], tmp_path: Path) -> None:
    open_run(tmp_path, small(), TASKS, resume=False)
    (tmp_path / "checkpoint-2").mkdir()
    (tmp_path / "checkpoint-2" / "trainer_state.json").write_text('{"global_step": 2}')
    for step in (2, 3):
        append_metrics(tmp_path / "metrics.jsonl", {"step": step})
        (tmp_path / "train" / f"step-{step:05}").mkdir(parents=True)
    assert open_run(tmp_path, small(), TASKS, resume=True) == tmp_path / "checkpoint-2"
    assert read_metrics(tmp_path / "metrics.jsonl") == [{"step": 2}]
    assert [path.name for path in (tmp_path / "train").iterdir()] == ["step-00002"]


def test_the_summary_has_the_last_solve_rate_of_each_task(tmp_path: Path) -> None:
    told = {"reward": 0.1, "any_medal": 0.0, "valid": 1.0, "format": 1.0}
    for step, split, solved in (
        (0, "validation", {"c": (0, 4)}),
        (1, "train", {"a": (1, 4), "b": (0, 4)}),
        (2, "train", {"a": (3, 4)}),
        (2, "validation", {"c": (1, 4)}),
    ):
        line = {"step": step, "split": split, "solved_by_task": solved, **told}
        append_metrics(tmp_path / "metrics.jsonl", line)
    summary = write_summary(tmp_path, None)
    assert summary["solve_rates"] == {"train": {"a": 0.75, "b": 0.0}, "validation": {"c": 0.25}}
    assert summary == json.loads((tmp_path / "summary.json").read_text())


def test_no_run_is_not_resumed(small: Callable[..., Training], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no run to resume"):
        open_run(tmp_path / "none", small(), TASKS, resume=True)


def test_checkpoints_that_are_not_whole_do_not_count(tmp_path: Path) -> None:
    for step in (2, 10, 12):
        folder = tmp_path / f"checkpoint-{step}"
        folder.mkdir()
        (folder / "trainer_state.json").write_text(json.dumps({"global_step": step}))
    (tmp_path / "checkpoint-12" / "trainer_state.json").write_text('{"global_step": 12')
    found = last_checkpoint(tmp_path)
    assert found is not None
    assert found.name == "checkpoint-10"
