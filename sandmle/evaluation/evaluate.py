"""Plays what is left of a run, writes each rollout as it ends, and sums up at the end.

However a run ends, by a signal too, its folder holds every rollout that ended and a summary of
them; only after a kill -9 the summary is the one before, and `read_run` sums up anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sandmle.errors import BudgetSpent, EndpointError
from sandmle.evaluation.config import Config, part_of
from sandmle.evaluation.files import ROLLOUTS_FILE
from sandmle.evaluation.run import Run, begin, write_summary
from sandmle.evaluation.tally import Tallies
from sandmle.play.episode import Episode
from sandmle.play.play import choose_backend, play_episodes
from sandmle.play.policies import Policy
from sandmle.play.reward import Weights
from sandmle.play.rollout import Rollout, RolloutWriter, read_rollouts
from sandmle.play.task import Task

#: What stops a run in good order; clusters send the second.
_SIGNALS = (signal.SIGINT, signal.SIGTERM)

#: One episode of a run: policy, task, attempt.
Key = tuple[str, str, int]


@dataclass(frozen=True)
class Means:
    """How a run is carried out, which changes nothing about what is played.

    At most `concurrency` episodes go on at a time, and `cores` runs of code (None: as many as there
    are processors). `backend` and `unsafe` choose the sandbox. With `retry_unscored` what could
    not be scored is taken out and played again.
    """

    concurrency: int = 64
    cores: int | None = None
    backend: str = "auto"
    unsafe: bool = False
    retry_unscored: bool = False


class Stopped(Exception):  # noqa: N818 - an outcome, which is not an error of this program
    """A signal ended a run before it was done."""


@dataclass(frozen=True)
class Ended:
    """A run as it was left, and what stopped it early, None where it is done."""

    run: Run
    fault: Stopped | EndpointError | BudgetSpent | None


def evaluate(
    folder: Path,
    config: Config,
    policies: Mapping[str, Policy],
    tasks: Sequence[Task],
    *,
    weights: Weights,
    means: Means = Means(),
    told: Callable[[Tallies], None] | None = None,
) -> Ended:
    """Plays what `folder` does not hold yet of the run of `config`.

    A signal (SIGINT, SIGTERM) stops it, and so does a model that answers no more.
    `policies` are by how they are asked for, `tasks` those that the config selected; `told` is
    given the sums of all rollouts, before the first and after each.

    Raises SandboxError where code cannot run here and ConflictError where the folder holds another
    run, both before anything is written; BlockingIOError where another process plays this run.
    """
    means = replace(means, backend=choose_backend(means.backend, means.unsafe, config.settings))
    begin(folder, config)
    if means.retry_unscored:
        _drop_unscored(folder / ROLLOUTS_FILE)
    tell = told or (lambda tallies: None)
    with RolloutWriter(folder / ROLLOUTS_FILE) as writer:
        tallies, done = _look_back(folder / ROLLOUTS_FILE)
        tell(tallies)

        def take(number: int, rollout: Rollout) -> None:
            writer.write(rollout)
            tallies.add(rollout)
            tell(tallies)

        left = _left(policies, part_of(tasks, config.shard), config.attempts, done)
        fault = None
        try:
            asyncio.run(_play(left, take, config, weights, means))
        except (Stopped, EndpointError, BudgetSpent) as error:
            fault = error
        finally:
            run = Run(folder, config, tuple(tallies.all()))
            write_summary(run)
    return Ended(run, fault)


async def _play(
    episodes: Iterator[Episode],
    take: Callable[[int, Rollout], None],
    config: Config,
    weights: Weights,
    means: Means,
) -> None:
    """Plays until all is done or a signal comes."""
    playing = asyncio.create_task(
        play_episodes(
            episodes,
            take,
            settings=config.settings,
            weights=weights,
            concurrency=means.concurrency,
            cores=means.cores,
            backend=means.backend,
            unsafe=means.unsafe,
        )
    )
    received: list[signal.Signals] = []

    loop = asyncio.get_running_loop()

    def stop(number: signal.Signals) -> None:
        received.append(number)
        loop.remove_signal_handler(number)  # a second one ends it at once
        playing.cancel()

    for number in _SIGNALS:
        with contextlib.suppress(RuntimeError, ValueError):  # only the main thread gets signals
            loop.add_signal_handler(number, stop, number)
    try:
        await playing
    except asyncio.CancelledError:
        if not received:
            raise
        raise Stopped(f"stopped by {received[0].name}") from None
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


def _drop_unscored(rollouts: Path) -> None:
    """Takes unscored rollouts out of a file, whole or not at all."""
    with RolloutWriter(rollouts), rollouts.open("rb") as lines:
        kept = rollouts.with_name(f".{rollouts.name}.{os.getpid()}")
        try:
            with kept.open("wb") as file:
                file.writelines(line for line in lines if json.loads(line)["reward"] is not None)
            kept.replace(rollouts)
        finally:
            kept.unlink(missing_ok=True)


def _look_back(rollouts: Path) -> tuple[Tallies, set[Key]]:
    """The sums of the rollouts that there are, and which episodes they are of."""
    tallies, done = Tallies(), set()
    for rollout in read_rollouts(rollouts):
        tallies.add(rollout)
        done.add((rollout.policy, rollout.task, rollout.attempt))
    return tallies, done


def _left(
    policies: Mapping[str, Policy], tasks: Sequence[Task], attempts: int, done: set[Key]
) -> Iterator[Episode]:
    """The episodes that are left, every task's first attempt before any second one.

    So what there is of a run half done is of all tasks alike.
    """
    for attempt in range(attempts):
        for task in tasks:
            for policy in policies.values():
                if (policy.name, task.id, attempt) not in done:
                    yield Episode(task, policy, attempt)
