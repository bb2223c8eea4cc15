"""Which tasks are learned from, in which order, and which are held out."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sandmle.play.task import Task, load_tasks
from sandmle.train.configuration import Data


@dataclass(frozen=True)
class Tasks:
    """The tasks of a training, sorted by id; no task is in both."""

    train: tuple[Task, ...]
    validation: tuple[Task, ...]


def choose_tasks(corpus: Path, data: Data, *, seed: int) -> Tasks:
    """The tasks that `data` names, split as the corpus splits them.

    Where it holds out none, a share of them is held out: those whose ids hash lowest, so that a
    task that is added moves no other one. Raises FileNotFoundError where the corpus is not built,
    ValueError where nothing is left to learn from or to validate on.
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
        ranked = sorted(found, key=lambda task: _digest(f"{seed}:{task.id}"))
        held_out = {task.id for task in ranked[: round(data.validation * len(found))]}
    train = tuple(task for task in found if task.id not in held_out)
    validation = tuple(task for task in found if task.id in held_out)
    if not train or not validation:
        missing = "learn from" if not train else "validate on: set data.validation higher"
        raise ValueError(f"of {len(found)} tasks in {corpus} there is none to {missing}")
    return Tasks(train, validation)


def task_order(tasks: Sequence[Task], count: int, *, order: str, seed: int) -> list[str]:
    """The ids of `count` tasks one after the other: every task once, then again, and so on.

    Each time round is shuffled by its own chance; with `easiest_first` the first one goes from the
    tasks of which naive work leaves least to those of which it leaves most.
    """
    ids: list[str] = []
    for turn in range(math.ceil(count / len(tasks))):
        round_ = list(tasks)
        random.Random(f"{seed}:{turn}").shuffle(round_)
        if turn == 0 and order == "easiest_first":
            round_.sort(key=lambda task: math.inf if task.difficulty is None else task.difficulty)
        ids += [task.id for task in round_]
    return ids[:count]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
