"""Which tasks are learned from, and in which order."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.play.rollout import RolloutWriter
from sandmle.play.task import Task
from sandmle.train.configuration import Data
from sandmle.train.dataset import choose_tasks, task_order
from tests.play.examples import rollout, submission


def task(name: str, *, split: str = "train", difficulty: float | None = None) -> Task:
    return Task(
        id=name,
        folder=Path(name),
        public=Path(name),
        description="",
        modality="tabular",
        task="binary",
        metric="roc_auc",
        is_lower_better=False,
        thresholds=None,
        digests={},
        split=split,
        difficulty=difficulty,
    )


TASKS = [task(f"t{number:02}", difficulty=(7 * number % 20) / 20) for number in range(20)]


def found(monkeypatch: pytest.MonkeyPatch, tasks: list[Task]) -> None:
    monkeypatch.setattr("sandmle.train.dataset.load_tasks", lambda corpus, **_: list(tasks))


def test_every_task_comes_once_before_any_comes_again() -> None:
    ids = task_order(TASKS, 50, order="shuffled", seed=3)
    assert len(ids) == 50
    for start in (0, 20):
        assert set(ids[start : start + 20]) == {task.id for task in TASKS}
    assert max(Counter(ids).values()) == 3


def test_the_order_depends_on_the_seed_alone() -> None:
    first = task_order(TASKS, 40, order="shuffled", seed=1)
    assert first == task_order(TASKS, 40, order="shuffled", seed=1)
    assert first[:10] == task_order(TASKS, 10, order="shuffled", seed=1)
    assert first != task_order(TASKS, 40, order="shuffled", seed=2)
    assert first[:20] != first[20:]


def test_easy_tasks_come_first_in_the_first_round() -> None:
    known = {task.id: task.difficulty for task in TASKS}
    ids = task_order([*TASKS, task("unknown")], 21, order="easiest_first", seed=0)
    assert ids[-1] == "unknown"
    difficulties = [known[name] for name in ids[:-1]]
    assert difficulties == sorted(difficulties, key=lambda value: value or 0.0)


def test_the_corpus_own_split_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, [*TASKS, task("held", split="validation")])
    tasks = choose_tasks(Path(), Data(), seed=0)
    assert [task.id for task in tasks.validation] == ["held"]
    assert len(tasks.train) == 20


def test_a_share_is_held_out_where_the_corpus_holds_out_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found(monkeypatch, TASKS)
    tasks = choose_tasks(Path(), Data(validation=0.2), seed=0)
    held = {task.id for task in tasks.validation}
    assert len(held) == 4
    assert not held & {task.id for task in tasks.train}
    found(monkeypatch, [*TASKS, task("new")])
    more = {task.id for task in choose_tasks(Path(), Data(validation=0.2), seed=0).validation}
    assert len(held & more) >= 3


def test_solve_rates_are_read_from_a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of tasks that are trained on, over the rollouts that could be scored, of one policy."""
    found(monkeypatch, [*TASKS, task("held", split="validation")])
    run = tmp_path / "rollouts.jsonl"
    with RolloutWriter(run) as writer:
        for attempt, medal in enumerate(("bronze", None, "gold")):
            sent = submission(valid=True, medal=medal)
            writer.write(replace(rollout(sent), task="t03", attempt=attempt))
        writer.write(replace(rollout(sent), task="held"))
        lost = replace(rollout(termination="sandbox_error"), reward=None)
        writer.write(replace(lost, task="t04"))
    data = Data(order="solve_rate", solve_rates=str(run))
    assert choose_tasks(Path(), data, seed=0).solved == {"t03": (2, 3)}
    with RolloutWriter(run) as writer:
        writer.write(replace(rollout(sent), task="t03", policy="other", attempt=9))
    with pytest.raises(ValueError, match="of 2 policies"):
        choose_tasks(Path(), data, seed=0)


def test_nothing_to_validate_on_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, TASKS[:2])
    with pytest.raises(ValueError, match="none to validate on"):
        choose_tasks(Path(), Data(validation=0.1), seed=0)
