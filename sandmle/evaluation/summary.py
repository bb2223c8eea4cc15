"""The summary of a run: the paper's metrics with intervals over tasks, whole and by group.

Every group is summed up like the whole. A task counts by the mean of its scored rollouts, all tasks
alike; see `sandmle.evaluation.tally` for what becomes of unscored ones.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sandmle.evaluation.statistics import any_at, intervals
from sandmle.evaluation.tally import METRICS, Tally

Interval = tuple[float, float]

#: Names of groups by how much of the way to the reference naive work leaves, and up to where.
DIFFICULTIES: Mapping[str, float] = {"easy": 1 / 3, "medium": 2 / 3, "hard": float("inf")}
UNKNOWN = "unknown"

#: How many different errors are told.
ERRORS = 5


@dataclass(frozen=True)
class Group:
    """Some rollouts, summed up.

    `tasks` have at least one scored rollout, `unscored_tasks` have none. `metrics` are those of
    METRICS, means over the tasks, each with its 95% interval in `intervals`, None where fewer than
    two tasks leave nothing to estimate it from. `any_medal_at` tells by k how often at least one
    of k attempts wins a medal, over the tasks with at least k scored rollouts. `errors` are the
    most frequent ones of unscored rollouts, at most ERRORS. `per_step_ms` are
    mean milliseconds a turn: model, sandbox (with waiting for a processor), score and harness;
    `per_code_run_ms` is the mean wall time of a run of code. Tokens are sums. `cost` is the money
    over the `priced` rollouts, None where no cost is known. Whatever has no rollouts to stand on is
    None.
    """

    rollouts: int
    unscored: int
    tasks: int
    unscored_tasks: int
    metrics: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    any_medal_at: Mapping[int, float]
    any_medal_at_intervals: Mapping[int, Interval | None]
    terminations: Mapping[str, int]
    errors: Mapping[str, int]
    turns: int
    retries: int
    prompt_tokens: int
    answer_tokens: int
    per_step_ms: Mapping[str, float | None]
    per_code_run_ms: float | None
    cost: float | None
    priced: int


@dataclass(frozen=True)
class Summary(Group):
    """A run or a part of it, summed up as a whole and by group: kind of group, name, group.

    By `policy` every group is a summary itself, by all other kinds.
    """

    by: Mapping[str, Mapping[str, Group]] = field(default_factory=dict)


def summarize(tallies: Sequence[Tally], *, difficulty: Mapping[str, float | None]) -> Summary:
    """The summary of a run; `difficulty` is that of its tasks as far as it is known."""
    policies = _grouped(tallies, lambda tally: tally.policy)
    parts = {name: _by_kinds(own, difficulty) for name, own in policies.items()}
    whole = next(iter(parts.values())) if len(parts) == 1 else _by_kinds(tallies, difficulty)
    return Summary(**{**vars(whole), "by": {"policy": parts, **whole.by}})


def band(difficulty: float | None) -> str:
    """The name of the group that a task of this difficulty is in."""
    if difficulty is None:
        return UNKNOWN
    return next(name for name, limit in DIFFICULTIES.items() if difficulty < limit)


def _by_kinds(tallies: Sequence[Tally], difficulty: Mapping[str, float | None]) -> Summary:
    """The summary by all kinds of group but the policy."""
    kinds: Mapping[str, Callable[[Tally], str]] = {
        "modality": lambda tally: tally.modality,
        "task_type": lambda tally: tally.task_type,
        "difficulty": lambda tally: band(difficulty.get(tally.task)),
        "metric": lambda tally: tally.metric,
    }
    by = {
        kind: {name: summarize_group(own) for name, own in _grouped(tallies, key).items()}
        for kind, key in kinds.items()
    }
    return Summary(**vars(summarize_group(tallies)), by=by)


def _grouped(tallies: Iterable[Tally], key: Callable[[Tally], str]) -> dict[str, list[Tally]]:
    """Tallies by a name, names as they first come."""
    groups: dict[str, list[Tally]] = {}
    for tally in tallies:
        groups.setdefault(key(tally), []).append(tally)
    return groups


def summarize_group(tallies: Sequence[Tally]) -> Group:
    """Some tallies as one group."""
    by_task = _grouped(tallies, lambda tally: tally.task)
    rows = [row for own in by_task.values() if (row := task_means(own)) is not None]
    values = np.array(rows).reshape(-1, len(METRICS))
    at, at_intervals = _any_medal_at(tallies)
    return Group(
        rollouts=sum(tally.rollouts for tally in tallies),
        unscored=sum(tally.rollouts - tally.scored for tally in tallies),
        tasks=len(rows),
        unscored_tasks=len(by_task) - len(rows),
        metrics=dict(zip(METRICS, _means(values), strict=True)),
        intervals=dict(zip(METRICS, _intervals(values), strict=True)),
        any_medal_at=at,
        any_medal_at_intervals=at_intervals,
        terminations=dict(_sum(tally.terminations for tally in tallies).most_common()),
        errors=dict(_sum(tally.errors for tally in tallies).most_common(ERRORS)),
        turns=sum(tally.turns for tally in tallies),
        retries=sum(tally.retries for tally in tallies),
        prompt_tokens=sum(tally.prompt_tokens for tally in tallies),
        answer_tokens=sum(tally.answer_tokens for tally in tallies),
        per_step_ms=_per_step(tallies),
        per_code_run_ms=_milliseconds(
            sum(tally.code_seconds for tally in tallies), sum(tally.code_runs for tally in tallies)
        ),
        cost=sum(tally.cost for tally in tallies)
        if any(tally.priced for tally in tallies)
        else None,
        priced=sum(tally.priced for tally in tallies),
    )


def _sum(counters: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def task_means(tallies: Sequence[Tally]) -> list[float] | None:
    """METRICS of one task over all its scored rollouts, None where it has none."""
    scored = sum(tally.scored for tally in tallies)
    if not scored:
        return None
    return [sum(tally.totals[name] for tally in tallies) / scored for name in METRICS]


def _any_medal_at(
    tallies: Sequence[Tally],
) -> tuple[dict[int, float], dict[int, Interval | None]]:
    """The chance of a medal within k attempts, by k, and its interval."""
    most = max((tally.scored for tally in tallies), default=0)
    means: dict[int, float] = {}
    bounds: dict[int, Interval | None] = {}
    for k in _ks(most):
        by_task = _grouped((tally for tally in tallies if tally.scored >= k), lambda one: one.task)
        rows = [
            [float(np.mean([any_at(one.scored, one.wins, k) for one in own]))]
            for own in by_task.values()
        ]
        means[k] = float(np.mean(rows))
        (bounds[k],) = _intervals(np.array(rows))
    return means, bounds


def _ks(most: int) -> list[int]:
    """1, 2, 4, 8, ... and the most itself."""
    powers = itertools.takewhile(lambda k: k < most, (2**power for power in itertools.count()))
    return [*powers, most] if most else []


def _means(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[float | None]:
    if not len(values):
        return [None] * values.shape[1]
    return [float(mean) for mean in values.mean(axis=0)]


def _intervals(
    values: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> list[Interval | None]:
    if len(values) < 2:
        return [None] * values.shape[1]
    return [(float(low), float(high)) for low, high in intervals(values).T]


def _per_step(tallies: Sequence[Tally]) -> dict[str, float | None]:
    turns = sum(tally.turns for tally in tallies)
    return {
        "model": _milliseconds(sum(tally.model_seconds for tally in tallies), turns),
        "sandbox": _milliseconds(sum(tally.sandbox_seconds for tally in tallies), turns),
        "score": _milliseconds(sum(tally.score_seconds for tally in tallies), turns),
        "harness": _milliseconds(
            sum(tally.own_seconds for tally in tallies),
            sum(tally.timed_turns for tally in tallies),
        ),
    }


def _milliseconds(seconds: float, count: int) -> float | None:
    return 1000 * seconds / count if count else None


def summary_data(group: Group) -> dict[str, Any]:
    """A group as JSON data: its metrics under their names, their intervals beside them."""
    data = dict(vars(group))
    metrics, by = data.pop("metrics"), data.pop("by", None)
    at, at_intervals = data.pop("any_medal_at"), data.pop("any_medal_at_intervals")
    data["intervals"] = {name: bounds and list(bounds) for name, bounds in group.intervals.items()}
    told = {
        **metrics,
        **data,
        "any_medal_at": {str(k): value for k, value in at.items()},
        "any_medal_at_intervals": {
            str(k): bounds and list(bounds) for k, bounds in at_intervals.items()
        },
    }
    if by is not None:
        told["by"] = {
            kind: {name: summary_data(one) for name, one in groups.items()}
            for kind, groups in by.items()
        }
    return told
