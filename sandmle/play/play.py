"""Plays policies on tasks, many episodes at a time, and writes each rollout as it ends."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path

from sandmle.errors import SandboxError
from sandmle.grading import Grade, load_grader
from sandmle.mlebench.grade import Competitions
from sandmle.play.environment import Environment
from sandmle.play.episode import Episode, play_episode
from sandmle.play.policies import Policy
from sandmle.play.reward import Weights, load_weights
from sandmle.play.rollout import Rollout, RolloutWriter
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.sandbox import Sandbox, open_sandbox
from sandmle.sandbox.libraries import modules_of
from sandmle.sandbox.pool import Pool
from sandmle.sandbox.probe import probe, strongest

#: Grades the content of a submission to a task.
GradeTask = Callable[[Task, bytes], Grade]

#: Opens a sandbox over a task's public folder.
OpenSandbox = Callable[[Path], Awaitable[Sandbox]]


async def play(
    tasks: Sequence[Task],
    policies: Sequence[Policy],
    *,
    settings: Settings | None = None,
    weights: Weights | None = None,
    attempts: int = 1,
    concurrency: int = 2,
    backend: str = "auto",
    unsafe: bool = False,
    out: Path | None = None,
    progress: Callable[[Rollout], None] | None = None,
) -> list[Rollout]:
    """Every policy on every task, `attempts` times; the rollouts come in that order.

    Each rollout is appended to the JSON Lines file `out` as its episode ends, and `progress` is
    told of it. `backend` and `unsafe` choose the sandbox, `settings` and `weights` are the paper's
    unless given. Under asyncio.run, Ctrl-C closes every sandbox before it is raised.

    Raises what `play_episodes` raises, and BlockingIOError where another run writes to `out`.
    """
    episodes = [
        Episode(task, policy, attempt)
        for task in tasks
        for policy in policies
        for attempt in range(attempts)
    ]
    # Before the file is made: where nothing can be played, nothing is left.
    settings = settings or Settings()
    backend = await asyncio.to_thread(choose_backend, backend, unsafe, settings)
    rollouts: dict[int, Rollout] = {}
    with RolloutWriter(out) if out is not None else contextlib.nullcontext() as writer:

        def take(number: int, rollout: Rollout) -> None:
            rollouts[number] = rollout
            if writer is not None:
                writer.write(rollout)
            if progress is not None:
                progress(rollout)

        await play_episodes(
            episodes,
            take,
            settings=settings,
            weights=weights or load_weights("paper"),
            concurrency=concurrency,
            backend=backend,
            unsafe=unsafe,
        )
    return [rollouts[number] for number in range(len(episodes))]


async def play_episodes(
    episodes: Iterable[Episode],
    take: Callable[[int, Rollout], None],
    *,
    settings: Settings,
    weights: Weights,
    concurrency: int,
    cores: int | None = None,
    backend: str = "auto",
    unsafe: bool = False,
    grade: GradeTask | None = None,
    opening: OpenSandbox | None = None,
) -> None:
    """Plays episodes, at most `concurrency` at a time, and hands each rollout on as it ends.

    At most `cores` runs of code go on at a time, by default as many as there are processors that
    this process may use; the others wait their turn. `take` gets the episode's number, from 0, and
    its rollout; nothing is kept here. Episodes are drawn as they are needed. `grade` is the task's
    own grader unless given. `opening` opens sandboxes; unless given, it does so by `backend`, and
    without `unsafe` code never runs in one that does not isolate.

    Raises SandboxError where no such sandbox works here, before anything is played. What `take`
    raises ends the run.
    """
    if concurrency < 1:
        raise ValueError(f"concurrency must be at least 1, not {concurrency}")
    if opening is None:
        backend = await asyncio.to_thread(choose_backend, backend, unsafe, settings)
        opening = functools.partial(
            open_sandbox, backend=backend, unsafe=unsafe, libraries=settings.libraries
        )
    waiting = enumerate(episodes)

    async def work(pool: Pool, grade: GradeTask) -> None:
        for number, episode in waiting:
            task = episode.task
            environment = Environment(
                task,
                functools.partial(grade, task),
                functools.partial(pool.open, task.public),
                settings,
            )
            take(number, await play_episode(episode, environment, weights))

    # More episodes than processors are fine while their policies think, but not while code runs.
    with contextlib.nullcontext(grade) if grade is not None else _graders() as grading:
        async with Pool(cores or len(os.sched_getaffinity(0)), opening) as pool:
            workers = [asyncio.create_task(work(pool, grading)) for _ in range(concurrency)]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)


@contextlib.contextmanager
def _graders() -> Iterator[GradeTask]:
    """Grades with the evaluators of built tasks, each read once, those used last kept, and
    competitions of a benchmark by its rules.
    """
    grader = functools.lru_cache(maxsize=256)(load_grader)
    with Competitions() as competitions:

        def grade(task: Task, submission: bytes) -> Grade:
            if task.benchmark is not None:
                return competitions.grade(task, submission)
            return grader(task.folder).grade(submission)

        yield grade


def choose_backend(backend: str, unsafe: bool, settings: Settings) -> str:
    """The sandbox to use: the strongest that works here for `auto`, else the one that is named.

    Raises SandboxError where it does not work here or does not isolate, or a library is missing.
    """
    modules_of(settings.libraries)
    if backend == "auto":
        return strongest(unsafe=unsafe)
    found = probe(backend)
    if not found.works:
        raise SandboxError(f"{backend} does not work here: {found.why_not} ({found.advice})")
    if not found.isolated and not unsafe:
        raise SandboxError(f"{backend} does not isolate; it is used only where unsafe is allowed")
    return backend
