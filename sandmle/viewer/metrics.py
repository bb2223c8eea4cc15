"""What the page tells of a run as a whole: its summary, see `sandmle.evaluation`, by policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandmle.evaluation.summary import Group, Interval, Summary


def metrics_by_policy(summary: Summary) -> list[dict[str, Any]]:
    """For each policy its metrics, what its rollouts took, and its medals by kind of group."""
    return [
        {
            "policy": policy,
            "metrics": _metrics(group),
            "took": _took(group),
            "medals": _medals(group) if isinstance(group, Summary) else {},
        }
        for policy, group in summary.by["policy"].items()
    ]


def _metrics(group: Group) -> list[dict[str, Any]]:
    told = [_metric(name, value, group.intervals[name]) for name, value in group.metrics.items()]
    # Within one attempt it is what any_medal says.
    told += [
        _metric(f"any_medal@{k}", value, group.any_medal_at_intervals[k])
        for k, value in group.any_medal_at.items()
        if k > 1
    ]
    return told


def _metric(name: str, value: float | None, interval: Interval | None) -> dict[str, Any]:
    low, high = interval or (None, None)
    return {"name": name, "value": value, "low": low, "high": high}


def _took(group: Group) -> dict[str, Any]:
    return {
        "per_step_ms": dict(group.per_step_ms),
        "per_code_run_ms": group.per_code_run_ms,
        "turns": group.turns,
        "rollouts": group.rollouts,
        "prompt_tokens": group.prompt_tokens,
        "answer_tokens": group.answer_tokens,
        "retries": group.retries,
        "cost": group.cost,
    }


def _medals(summary: Summary) -> Mapping[str, Mapping[str, Any]]:
    """`any_medal` with its interval by kind of group and name."""
    return {
        kind: {
            name: _metric(name, group.metrics["any_medal"], group.intervals["any_medal"])
            for name, group in groups.items()
        }
        for kind, groups in summary.by.items()
    }
