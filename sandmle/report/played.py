"""Rollouts as tables: how policies fared on every task, and all in all."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median

from rich.table import Table
from rich.text import Text

from sandmle.play.rollout import Rollout
from sandmle.report.ladder import best_of_each, lay_out
from sandmle.report.overview import Overview, Play, outcome
from sandmle.report.style import COLOURS, LEVELS

#: Characters of a ladder that fits into a row.
_AXIS = 20

#: Characters from which a terminal has room for modality and metric, and for medals' names.
_ROOMY, _WIDE = 96, 118


def tasks_table(overviews: Sequence[Overview], rollouts: Sequence[Rollout], *, width: int) -> Table:
    """A row for each task: its ladder, medal and reward by policy, and milliseconds a step.

    `width` is the terminal's: where it is small, colours alone tell the medals.
    """
    policies = list(dict.fromkeys(play.policy for item in overviews for play in item.plays))
    roomy, words = width >= _ROOMY, width >= _WIDE
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("task", no_wrap=True, overflow="ellipsis", min_width=12, max_width=20)
    if roomy:
        table.add_column("modality", no_wrap=True)
        table.add_column("metric", no_wrap=True, overflow="ellipsis", max_width=11)
    table.add_column("ladder", no_wrap=True, min_width=_AXIS)
    for policy in policies:
        table.add_column(policy, no_wrap=True, min_width=11 if words else 3)
    table.add_column("ms/step", justify="right", no_wrap=True, min_width=7)
    for item in overviews:
        by_policy = {play.policy: play for play in item.plays}
        own = [rollout for rollout in rollouts if rollout.task == item.verdict.id]
        arrow = "↓" if item.verdict.is_lower_better else "↑"
        kind = (item.verdict.modality, f"{arrow}{item.verdict.metric}") if roomy else ()
        table.add_row(
            item.verdict.id,
            *kind,
            small_ladder(item),
            *(_fared(by_policy.get(policy), words=words) for policy in policies),
            _milliseconds(own),
        )
    return table


def policies_table(rollouts: Sequence[Rollout]) -> Table:
    """A row for each policy: outcomes, mean reward, and milliseconds a step."""
    table = Table(box=None, padding=(0, 1), header_style="bold", pad_edge=False)
    table.add_column("policy", no_wrap=True)
    counted = ("gold", "silver", "bronze", "median", "none", "invalid")
    for name in ("episodes", *counted, "reward", "ms/step"):
        table.add_column(name, justify="right", no_wrap=True)
    for policy in dict.fromkeys(rollout.policy for rollout in rollouts):
        own = [rollout for rollout in rollouts if rollout.policy == policy]
        outcomes = [outcome(rollout) for rollout in own]
        rewards = [rollout.reward.total for rollout in own if rollout.reward is not None]
        table.add_row(
            policy,
            str(len(own)),
            *(Text(str(outcomes.count(name) or "·"), COLOURS[name]) for name in counted),
            f"{fmean(rewards):.3f}" if rewards else "unscored",
            _milliseconds(own),
        )
    return table


def small_ladder(overview: Overview) -> Text:
    """The ladder on one line: d, n, h and r where each rung's best lies, between the lines."""
    verdict = overview.verdict
    best = best_of_each(verdict.ladder, is_lower_better=verdict.is_lower_better)
    ladder = lay_out(best, verdict.thresholds, is_lower_better=verdict.is_lower_better)
    axis = [("─", "bright_black")] * _AXIS
    for line in ladder.lines:
        axis[round(line.place * (_AXIS - 1))] = ("│", COLOURS[line.name])
    for mark in ladder.marks:
        axis[round(mark.place * (_AXIS - 1))] = (mark.rung.rung[0], LEVELS[mark.rung.rung])
    return Text.assemble(*axis)


def _fared(play: Play | None, *, words: bool) -> Text:
    if play is None:
        return Text("")
    reward = "?" if play.reward is None else f"{play.reward:.2f}".removeprefix("0")[:3]
    return Text(f"{play.outcome:<7} {reward}" if words else reward, COLOURS[play.outcome])


def _milliseconds(rollouts: Sequence[Rollout]) -> str:
    """The median wall time of the runs of code, in milliseconds."""
    seconds = [
        call.wall_seconds
        for rollout in rollouts
        for step in rollout.steps
        for call in step.calls
        if call.wall_seconds is not None
    ]
    return f"{1000 * median(seconds):,.0f}" if seconds else ""
