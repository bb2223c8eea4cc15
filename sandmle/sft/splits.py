"""What part of a corpus a rollout's task is of: to train on the wrong one spoils an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sandmle.evaluation.config import Config
from sandmle.play.rollout import Rollout
from sandmle.play.task import Task

#: The split of a rollout's task: train, validation, ...; None where that is not known.
SplitOf = Callable[[Rollout], str | None]


def told_by_run(config: Config) -> SplitOf:
    """Looks it up in the run's own config: what the task was for when it was played."""
    splits = {name: task.split for name, task in config.selected.items()}
    return lambda rollout: splits.get(rollout.task)


def told_by_corpus(tasks: Iterable[Task]) -> SplitOf:
    """Looks it up in a corpus, which knows tasks of the same id and spec alone."""
    splits = {(task.id, task.digests["spec"]): task.split for task in tasks}
    return lambda rollout: splits.get((rollout.task, rollout.digests.get("spec", "")))
