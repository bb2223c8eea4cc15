"""What each kind of task asks of its targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sandmle.spec.model import TASKS


@dataclass(frozen=True)
class TaskKind:
    """A kind of task: whether it has several targets, and how many classes each may have.

    `classes` is the least and the most, None where the target is a number.
    """

    several: bool
    classes: tuple[int, int] | None


TASK_KINDS: Mapping[str, TaskKind] = {
    "binary": TaskKind(several=False, classes=(2, 2)),
    "multiclass": TaskKind(several=False, classes=(3, 30)),
    "multilabel": TaskKind(several=True, classes=(2, 2)),
    "ordinal": TaskKind(several=False, classes=(3, 30)),
    "regression": TaskKind(several=False, classes=None),
}

if tuple(TASK_KINDS) != TASKS:
    raise ImportError("sandmle.spec.model.TASKS and TASK_KINDS differ")
