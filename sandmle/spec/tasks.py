"""What each kind of task asks of its targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class TaskKind:
    """A kind of task.

    `several` says whether it has several targets, `classes` how many classes each may have (the
    least and the most; None where it has none), `yields` what its rules may YIELD: with classes a
    `number` is cut into them.
    """

    several: bool
    classes: tuple[int, int] | None
    yields: tuple[str, ...]


#: To add a kind of task is to add a line here (and in TASKS), and words that serve it.
TASK_KINDS: Mapping[str, TaskKind] = {
    "binary": TaskKind(several=False, classes=(2, 2), yields=("number", "category")),
    "multiclass": TaskKind(several=False, classes=(3, 30), yields=("number", "category")),
    "multilabel": TaskKind(several=True, classes=(2, 2), yields=("number", "category")),
    "ordinal": TaskKind(several=False, classes=(3, 30), yields=("number", "category")),
    "regression": TaskKind(several=False, classes=None, yields=("number",)),
}
