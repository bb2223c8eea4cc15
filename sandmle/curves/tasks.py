"""How the reward of every task went: a strip of colours over the steps, and what it gained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from sandmle.curves.runs import Line, TrainingRun, numbers

#: Cells of a strip at most, and shades of a cell.
_CELLS, SHADES = 48, 10

#: A gain is the mean of the last third of what was played, less that of the first third.
_PART = 3


@dataclass(frozen=True)
class TaskRow:
    """One task: mean rewards when it was first and last played, and in how many steps it was.

    `first` and `last` are means over a third of these steps each; `gain` is None where it was
    played once. `strip` has a path by shade.
    """

    task: str
    first: float
    last: float
    gain: float | None
    played: int
    strip: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class TaskTable:
    """The tasks of one split of a run, what gained most first; `cells` is a strip's width."""

    run: str
    split: str
    cells: int
    rows: tuple[TaskRow, ...]

    @property
    def summary(self) -> str:
        """How many tasks gained and lost."""
        gains = [row.gain for row in self.rows if row.gain is not None]
        if not gains:
            return "none was played twice yet"
        gained, lost = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        same = len(gains) - gained - lost
        return f"{gained} gained, {lost} lost" + (f", {same} as before" if same else "")


def task_tables(run: TrainingRun) -> tuple[TaskTable, ...]:
    """The tables of held-out tasks and of tasks of the training, of those that tell of tasks."""
    splits = (("held out", run.validation), ("training", run.train))
    tables = [_table(run.name, split, lines) for split, lines in splits]
    return tuple(table for table in tables if table.rows)


def _table(run: str, split: str, lines: Sequence[Line]) -> TaskTable:
    rewards: dict[str, list[tuple[int, float]]] = {}
    for line in lines:
        for task, reward in numbers(line, "reward_by_task").items():
            rewards.setdefault(task, []).append((line["step"], reward))
    first = lines[0]["step"] if lines else 0
    steps = lines[-1]["step"] - first + 1 if lines else 1
    cells = min(_CELLS, steps)
    rows = []
    for task, played in rewards.items():
        placed = [((step - first) * cells // steps, reward) for step, reward in played]
        rows.append(_row(task, [reward for _, reward in played], _strip(placed, cells)))
    rows.sort(key=lambda row: (row.gain is None, -(row.gain or 0.0), row.task))
    return TaskTable(run, split, cells, tuple(rows))


def _row(task: str, rewards: Sequence[float], strip: tuple[tuple[int, str], ...]) -> TaskRow:
    part = -(-len(rewards) // _PART)
    first, last = fmean(rewards[:part]), fmean(rewards[-part:])
    gain = round(last - first, 4) if len(rewards) > 1 else None
    return TaskRow(task, first, last, gain, len(rewards), strip)


def _strip(placed: Sequence[tuple[int, float]], cells: int) -> tuple[tuple[int, str], ...]:
    """A strip of unit squares: the reward of a cell's steps, which holds until the next ones."""
    shades = {
        cell: _shade(fmean(reward for _, reward in found))
        for cell, found in groupby(placed, key=lambda pair: pair[0])
    }
    paths: dict[int, str] = {}
    begins = sorted(shades)
    while begins:
        start = begins.pop(0)
        while begins and shades[begins[0]] == shades[start]:
            begins.pop(0)
        width = (begins[0] if begins else cells) - start
        paths[shades[start]] = paths.get(shades[start], "") + f"M{start} 0h{width}v1h-{width}z"
    return tuple(sorted(paths.items()))


def _shade(reward: float) -> int:
    return max(0, min(SHADES - 1, int(reward * SHADES)))
