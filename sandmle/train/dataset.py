"""Which tasks are learned from, in which order, and which are held out."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sandmle.play.task import Task, load_tasks
from sandmle.train.configuration import Data


@dataclass(frozen=True)
class Tasks:
    """The tasks of a training, sorted by id; no task is in both.

    `solved` has how many rollouts of a task were solved before, and how many were scored.
    """

    train: tuple[Task, ...]
    validation: tuple[Task, ...]
    solved: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def choose_tasks(corpus: Path, data: Data, *, seed: int) -> Tasks:
    """The tasks that `data` names, split as the corpus splits them.

    Where it holds out none, a share of them is held out: those whose ids hash lowest, so that a
    task that is added moves no other one. Raises FileNotFoundError where the corpus is not built,
    ValueError where nothing is left to learn from or to validate on, or where `solve_rates` is no
    run of one policy on any of these tasks.
    """
    found = load_tasks(
        corpus,
        ids=data.ids,
        modalities=data.modalities,
        kinds=data.kinds,
        metrics=data.metrics,
    )
    found.sort(key=lambda task: task.id)
    held_out = {task.id for task in found if task.split == "validation"}
    if not held_out:
        held_out = hold_out([task.id for task in found], data.validation, seed=seed)
    train = tuple(task for task in found if task.id not in held_out)
    validation = tuple(task for task in found if task.id in held_out)
    if not train or not validation:
        missing = "learn from" if not train else "validate on: set data.validation higher"
        raise ValueError(f"of {len(found)} tasks in {corpus} there is none to {missing}")
    if data.solve_rates is None:
        return Tasks(train, validation)
    return Tasks(train, validation, _solved(Path(data.solve_rates), train))


def _solved(run: Path, tasks: Sequence[Task]) -> dict[str, tuple[int, int]]:
    """How many rollouts of a run won any medal, and how many could be scored, by task."""
    from sandmle.evaluation.run import read_run

    tallies = read_run(run).tallies
    policies = sorted({tally.policy for tally in tallies})
    if len(policies) > 1:
        raise ValueError(
            f"data.solve_rates: {run} is of {len(policies)} policies, {', '.join(policies)}: "
            "what one of them solves is wanted"
        )
    names = {task.id for task in tasks}
    found = {
        tally.task: (tally.wins, tally.scored)
        for tally in sorted(tallies, key=lambda tally: tally.task)
        if tally.task in names and tally.scored
    }
    if not found:
        raise ValueError(f"data.solve_rates: {run} has no result of a task that is trained on")
    return found


def task_order(tasks: Sequence[Task], count: int, *, order: str, seed: int) -> list[str]:
    """The ids of `count` tasks one after the other: every task once, then again, and so on.

    Each time round is shuffled by its own chance; with `easiest_first` the first one goes from the
    tasks of which naive work leaves least to those of which it leaves most. With `solve_rate` this
    order only fills TRL's places: a Curriculum draws what is played.
    """
    ids: list[str] = []
    for turn in range(math.ceil(count / len(tasks))):
        round_ = list(tasks)
        random.Random(f"{seed}:{turn}").shuffle(round_)
        if turn == 0 and order == "easiest_first":
            round_.sort(key=lambda task: math.inf if task.difficulty is None else task.difficulty)
        ids += [task.id for task in round_]
    return ids[:count]


def hold_out(ids: Collection[str], share: float, *, seed: int) -> set[str]:
    """A share of ids: those that hash lowest, so that one that is added moves no other one."""

    def rank(name: str) -> str:
        return hashlib.sha256(f"{seed}:{name}".encode()).hexdigest()

    return set(sorted(ids, key=rank)[: round(share * len(ids))])
