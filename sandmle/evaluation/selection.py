"""Which tasks are meant: the one place where a selection of them is read.

A selection is `all` (the accepted tasks of the corpus), `train` or `validation` (its splits), the
id of a task, or `mlebench:DIR`: the competitions that MLE-bench has prepared in a folder, of which
`mlebench-lite:DIR` are those of MLE-bench Lite.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sandmle.mlebench.load import PREFIXES, load_competitions
from sandmle.play.task import Task, load_tasks

#: Parts of a corpus, as the tasks' verdicts tell them.
SPLITS = ("train", "validation")
ALL = "all"


def select_tasks(
    selections: Sequence[str], *, corpus: Path, limit: int | None = None
) -> list[Task]:
    """The tasks that are meant, each once, in the order of the selections.

    Of more than `limit`, modalities take turns. Raises ValueError where a selection holds no task
    or a limit is less than one, FileNotFoundError where the corpus is not built or has no such
    accepted task, or a folder no competition.
    """
    if not selections:
        raise ValueError(
            "no tasks are selected; expected all, train, validation, an id or mlebench:DIR"
        )
    if limit is not None and limit < 1:
        raise ValueError(f"a limit of tasks must be at least 1, not {limit}")
    found: dict[str, Task] = {}
    for selection in selections:
        tasks = _select(selection, corpus)
        if not tasks:
            raise ValueError(f"no task is meant by {selection!r}; {_told_splits(corpus)}")
        found.update((task.id, task) for task in tasks if task.id not in found)
    tasks = list(found.values())
    return tasks if limit is None else _spread(tasks)[:limit]


def _select(selection: str, corpus: Path) -> list[Task]:
    """The tasks of one selection."""
    for prefix, complexity in PREFIXES.items():
        if selection.startswith(prefix):
            return load_competitions(Path(selection.removeprefix(prefix)), complexity=complexity)
    if selection == ALL:
        return load_tasks(corpus)
    if selection in SPLITS:
        return [task for task in load_tasks(corpus) if task.split == selection]
    return load_tasks(corpus, ids=(selection,))


def _told_splits(corpus: Path) -> str:
    """What there is in a corpus, by split."""
    counts = Counter(task.split for task in load_tasks(corpus))
    told = ", ".join(f"{count} for {split}" for split, count in counts.items())
    return f"{corpus} has {told or 'no accepted task'}"


def _spread(tasks: Sequence[Task]) -> list[Task]:
    """The tasks with modalities taking turns."""
    by_modality: dict[str, list[Task]] = {}
    for task in tasks:
        by_modality.setdefault(task.modality, []).append(task)
    rounds = itertools.zip_longest(*by_modality.values())
    return [task for turn in rounds for task in turn if task is not None]
