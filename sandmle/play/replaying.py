"""Recorded rollouts are played again in their own settings, and held against their records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from sandmle.play.drift import Drift, drifts
from sandmle.play.episode import Episode
from sandmle.play.play import OpenSandbox, play_episodes
from sandmle.play.recorded import play_again
from sandmle.play.reward import Weights, reward
from sandmle.play.rollout import Rollout
from sandmle.play.settings import Settings
from sandmle.play.task import Task

#: Takes a record and what differs in its replay.
Take = Callable[[Rollout, list[Drift]], None]


def why_not(rollout: Rollout, tasks: Mapping[str, Task]) -> str | None:
    """Why a record says nothing that a replay could hold against it; None where it does."""
    if rollout.task not in tasks:
        return "there is no such task any more"
    if rollout.termination in ("sandbox_error", "grader_error"):
        return f"it ended with {rollout.termination}"
    return None


async def replay(
    rollouts: Iterable[Rollout],
    tasks: Mapping[str, Task],
    take: Take,
    *,
    weights_of: Callable[[Rollout], Weights],
    concurrency: int = 2,
    backend: str = "auto",
    unsafe: bool = False,
    opening: OpenSandbox | None = None,
) -> None:
    """Plays records again, at most `concurrency` at a time, and hands on what differs.

    `tasks` hold each record's task by its id; `weights_of` gives the weights that a record was
    rewarded by. Records are drawn as they are needed, and none is kept. The rest is as in
    `play_episodes`, as are the errors.
    """

    def conditions(recorded: Rollout) -> tuple[Settings, Weights]:
        return recorded.settings, weights_of(recorded)

    for (settings, weights), records in groupby(rollouts, conditions):
        under_way: dict[int, Rollout] = {}
        await play_episodes(
            _episodes(records, tasks, under_way),
            _holding_against(under_way, weights, take),
            settings=settings,
            weights=weights,
            concurrency=concurrency,
            backend=backend,
            unsafe=unsafe,
            opening=opening,
        )


def _episodes(
    records: Iterable[Rollout], tasks: Mapping[str, Task], under_way: dict[int, Rollout]
) -> Iterator[Episode]:
    for number, recorded in enumerate(records):
        under_way[number] = recorded
        yield Episode(tasks[recorded.task], play_again(recorded), recorded.attempt)


def _holding_against(
    under_way: dict[int, Rollout], weights: Weights, take: Take
) -> Callable[[int, Rollout], None]:
    def hold(number: int, replayed: Rollout) -> None:
        recorded = under_way.pop(number)
        take(recorded, drifts(recorded, _ended_alike(recorded, replayed, weights)))

    return hold


def _ended_alike(recorded: Rollout, replayed: Rollout, weights: Weights) -> Rollout:
    """The replay, ended as the record was, where all its turns were played and none was left.

    A policy that failed or ran out of time leaves nothing to play after its last turn.
    """
    if replayed.termination != "policy_error" or len(replayed.steps) != len(recorded.steps):
        return replayed
    ended = replace(replayed, termination=recorded.termination, error=recorded.error)
    return replace(ended, reward=reward(ended, weights))
