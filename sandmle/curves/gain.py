"""What a training gained on held-out tasks, with intervals over tasks from its rollouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.curves.runs import TrainingRun, number
from sandmle.errors import RolloutError
from sandmle.evaluation.compare import Comparison, compare
from sandmle.evaluation.run import Run
from sandmle.evaluation.summary import Interval, summarize_group
from sandmle.evaluation.tally import Tallies
from sandmle.play.rollout import read_rollouts

#: What is told of held-out tasks, and what evaluation calls it.
_GAINS = {
    "any_medal": "any_medal",
    "reward": "reward_mean",
    "valid": "valid_submission",
    "format": "format_rate",
}


@dataclass(frozen=True)
class Gain:
    """One number before and after, each with its 95% interval over tasks where rollouts tell it.

    `difference` is after less before; its interval and `p_value` are paired by task.
    """

    before: float | None
    after: float | None = None
    before_interval: Interval | None = None
    after_interval: Interval | None = None
    difference: float | None = None
    difference_interval: Interval | None = None
    p_value: float | None = None


@dataclass(frozen=True)
class HeldOut:
    """The first evaluation of a run and the last one, which is None where there was one only.

    `rollouts` are those of the last one, `tasks` how many tasks they are of, None where the
    rollouts are not there to tell.
    """

    first_step: int
    last_step: int | None
    rollouts: int | None
    tasks: int | None
    gains: Mapping[str, Gain]


def held_out(run: TrainingRun) -> HeldOut | None:
    """What a run gained on its held-out tasks, None where it was not evaluated yet."""
    if not run.validation:
        return None
    first, last = run.validation[0], run.validation[-1]
    steps = [first["step"]] + ([last["step"]] if last is not first else [])
    played = [_played(run, step) for step in steps]
    groups = [None if one is None else summarize_group(one.tallies) for one in played]
    compared = _compared(*played) if len(played) == 2 else None
    rollouts = number(run.validation[-1], "rollouts")
    gains = {}
    for name, theirs in _GAINS.items():
        found = [None if group is None else group.intervals[theirs] for group in groups]
        gains[name] = _gain(
            [number(line, name) for line in (first, last)[: len(steps)]],
            found,
            None if compared is None else compared.metrics[theirs],
        )
    return HeldOut(
        first_step=first["step"],
        last_step=steps[1] if len(steps) == 2 else None,
        rollouts=None if rollouts is None else int(rollouts),
        tasks=None if groups[-1] is None else groups[-1].tasks,
        gains=gains,
    )


def _gain(values: list[float | None], intervals: list[Interval | None], paired: Any) -> Gain:
    if len(values) == 1:
        return Gain(values[0], before_interval=intervals[0])
    before, after = values
    return Gain(
        before=before,
        after=after,
        before_interval=intervals[0],
        after_interval=intervals[1],
        difference=None if before is None or after is None else after - before,
        difference_interval=None if paired is None else paired.interval,
        p_value=None if paired is None else paired.p_value,
    )


def _played(run: TrainingRun, step: int) -> Run | None:
    """The rollouts of an evaluation, None where they are not there, or broken."""
    folder = run.folder / "validation" / f"step-{step:05}"
    tallies = Tallies()
    try:
        for path in sorted(folder.glob("rollouts*.jsonl")):
            for rollout in read_rollouts(path):
                tallies.add(rollout)
    except RolloutError:
        return None
    return Run(folder, None, tuple(tallies.all())) if tallies.rollouts else None


def _compared(first: Run | None, second: Run | None) -> Comparison | None:
    """The two evaluations paired by task."""
    if first is None or second is None:
        return None
    try:
        return compare(first, second).whole
    except ValueError:  # rollouts of several policies, which no training writes
        return None
