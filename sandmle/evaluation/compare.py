"""Two runs compared task by task: what differs, by how much, and whether chance could do it.

Only tasks that both have scored rollouts of are compared, by their means over attempts, and of
those only such as are the same task in both; how many were left out is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sandmle.evaluation.config import differences
from sandmle.evaluation.run import Run
from sandmle.evaluation.statistics import Array, difference_intervals, p_values
from sandmle.evaluation.summary import Interval, task_means
from sandmle.evaluation.tally import METRICS


@dataclass(frozen=True)
class Difference:
    """One metric in both: means over the same tasks, and `difference`, second less first.

    `interval` is the 95% one of the bootstrap over tasks, `p_value` the two-sided one of a paired
    permutation test that the means are equal; both None for fewer than two tasks.
    """

    first: float
    second: float
    difference: float
    interval: Interval | None
    p_value: float | None


@dataclass(frozen=True)
class Comparison:
    """The differences over some tasks, by metric."""

    tasks: int
    metrics: Mapping[str, Difference]


@dataclass(frozen=True)
class Compared:
    """Two policies' runs: who played, what else differs, which tasks were left out, and the rest.

    `only_first` and `only_second` are tasks that the other has no scored rollout of, `changed` such
    as were built anew in between. `whole` is None where no task is left. p-values of groups are not
    corrected for there being several.
    """

    first: str
    second: str
    differences: tuple[str, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    changed: tuple[str, ...]
    whole: Comparison | None
    by_modality: Mapping[str, Comparison]


def compare(
    first: Run, second: Run, *, policies: tuple[str | None, str | None] = (None, None)
) -> Compared:
    """Compares two runs, or two policies of one.

    `policies` tell whose rollouts are meant, which a run of one policy needs not say. Raises
    ValueError where that is not clear.
    """
    names = (_policy(first, policies[0]), _policy(second, policies[1]))
    ours, theirs = _by_task(first, names[0]), _by_task(second, names[1])
    changed = _changed(first, second)
    shared = [task for task in ours if task in theirs and task not in changed]
    groups: dict[str, list[str]] = {}
    for task in shared:
        groups.setdefault(ours[task].modality, []).append(task)

    def over(tasks: Sequence[str]) -> Comparison:
        return _compare(
            np.array([ours[task].means for task in tasks]),
            np.array([theirs[task].means for task in tasks]),
        )

    return Compared(
        first=names[0],
        second=names[1],
        differences=_settings_differences(first, second),
        only_first=tuple(task for task in ours if task not in theirs),
        only_second=tuple(task for task in theirs if task not in ours),
        changed=tuple(task for task in ours if task in changed and task in theirs),
        whole=over(shared) if shared else None,
        by_modality={name: over(tasks) for name, tasks in groups.items()},
    )


def compared_data(compared: Compared) -> dict[str, Any]:
    """A comparison as JSON data."""
    return asdict(compared)


@dataclass(frozen=True)
class _Task:
    modality: str
    means: Sequence[float]


def _policy(run: Run, name: str | None) -> str:
    """The policy of a run that is meant."""
    there = list(dict.fromkeys(tally.policy for tally in run.tallies))
    if name is None and len(there) == 1:
        return there[0]
    if name is None:
        raise ValueError(f"{run.path}: say which policy is meant of {', '.join(there) or 'none'}")
    if name not in there:
        raise ValueError(f"{run.path}: no policy {name!r} played; there are {', '.join(there)}")
    return name


def _by_task(run: Run, policy: str) -> dict[str, _Task]:
    """The tasks of which a policy has scored rollouts."""
    found = {}
    for tally in run.tallies:
        means = task_means([tally]) if tally.policy == policy else None
        if means is not None:
            found[tally.task] = _Task(tally.modality, means)
    return found


def _changed(first: Run, second: Run) -> set[str]:
    """Tasks that are not the same in both, as far as their configs tell."""
    if first.config is None or second.config is None:
        return set()
    before, now = first.config.selected, second.config.selected
    return {name for name in before if name in now and before[name].digest != now[name].digest}


def _settings_differences(first: Run, second: Run) -> tuple[str, ...]:
    """What else differs than who played, on which tasks and how often."""
    if first.config is None or second.config is None:
        return ()
    told = differences(first.config, second.config)
    expected = ("policies:", "policy ", "tasks:", "limit:", "attempts:", "shard:", "options.")
    return tuple(line for line in told if not line.startswith(expected))


def _compare(first: Array, second: Array) -> Comparison:
    """Compares (tasks, METRICS)."""
    bounds = difference_intervals(second - first)
    chances = p_values(first, second) if len(first) > 1 else np.full(len(METRICS), np.nan)
    return Comparison(
        tasks=len(first),
        metrics={
            name: Difference(
                first=float(first[:, column].mean()),
                second=float(second[:, column].mean()),
                difference=float((second - first)[:, column].mean()),
                interval=_interval(bounds[:, column]),
                p_value=None if np.isnan(chances[column]) else float(chances[column]),
            )
            for column, name in enumerate(METRICS)
        },
    )


def _interval(bounds: Array) -> Interval | None:
    return None if np.isnan(bounds).any() else (float(bounds[0]), float(bounds[1]))
