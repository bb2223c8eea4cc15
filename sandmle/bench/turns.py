"""What the harness itself costs: episodes whose policy and sandbox take a known time, or none.

Each turn brings a script, some lines of output and another submission, which is graded: all that is
done for a turn but for the work of the model and the sandbox.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from sandmle.bench.machine import describe_machine
from sandmle.bench.shipped import build_shipped
from sandmle.evaluation.tally import Tallies
from sandmle.play.conversation import Message, ToolCall, Turn
from sandmle.play.episode import Episode
from sandmle.play.play import play_episodes
from sandmle.play.reward import load_weights
from sandmle.play.rollout import Rollout, RolloutWriter
from sandmle.play.settings import Settings
from sandmle.play.task import Task
from sandmle.sandbox import Limits, Sandbox, StepResult

#: The shipped task that is played.
TASK = "alloy-strength"

#: Turns of an episode, and of one where only memory matters.
_TURNS, _FEW_TURNS = 20, 4

#: Seconds of the model in a turn, on average, and of the sandbox, where they take some.
MODEL_SECONDS, SANDBOX_SECONDS = 1.0, 0.1

#: Rollouts after which memory is looked at first: by then all that is loaded once is there.
WARM_UP = 500

_SCRIPT = "import pandas as pd\n" + "".join(f"feature_{n} = {n} * 17\n" for n in range(60))
_OUTPUT = "".join(f"fold {n}: validation score 0.{n:04}\n" for n in range(80))


@dataclass(frozen=True)
class TurnsBench:
    """Milliseconds a turn at `concurrency` episodes at a time.

    `busy_ms`: wall time over all turns where neither model nor sandbox takes any, so that nothing
    else is done; `busy_cpu_ms`: processor time of the same; `paced_ms`: how much longer a turn took
    an episode than its model and its sandbox did, which take MODEL_SECONDS and SANDBOX_SECONDS.
    `graded_ms` is what grading took of the latter. `memory_mib` holds the resident memory after
    WARM_UP and after all of `rollouts`, by their number.
    """

    concurrency: int
    busy_ms: float
    busy_cpu_ms: float
    paced_ms: float
    graded_ms: float
    rollouts: int
    memory_mib: Mapping[int, float]
    machine: Mapping[str, Any]


def bench_turns(
    *,
    concurrency: int,
    rollouts: int,
    progress: Callable[[int, int], None] | None = None,
) -> TurnsBench:
    """Measures turns, then plays `rollouts` short episodes and looks at the memory.

    `progress` is told how many rollouts have ended, and of how many.
    """
    total = 4 * concurrency + rollouts
    ended = itertools.count(1)

    def tick() -> None:
        if progress is not None:
            progress(next(ended), total)

    with tempfile.TemporaryDirectory(prefix="sandmle-") as name:
        task = build_shipped(TASK, Path(name))
        busy = _Player(task, concurrency, tick)
        wall, cpu = time.perf_counter(), time.process_time()
        busy.play(2 * concurrency, turns=_TURNS)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        paced = _Player(task, concurrency, tick, MODEL_SECONDS, SANDBOX_SECONDS)
        paced.play(2 * concurrency, turns=_TURNS)
        many = _Player(task, concurrency, tick)
        many.play(rollouts, turns=_FEW_TURNS)
    return TurnsBench(
        concurrency=concurrency,
        busy_ms=round(1000 * wall / busy.turns, 3),
        busy_cpu_ms=round(1000 * cpu / busy.turns, 3),
        paced_ms=round(1000 * fmean(paced.own_seconds), 3),
        graded_ms=round(1000 * fmean(paced.score_seconds), 3),
        rollouts=rollouts,
        memory_mib=many.memory,
        machine=describe_machine(),
    )


class _Player:
    """Plays episodes and keeps what is measured of them."""

    def __init__(
        self,
        task: Task,
        concurrency: int,
        tick: Callable[[], None],
        model_seconds: float = 0.0,
        sandbox_seconds: float = 0.0,
    ) -> None:
        self._task, self._concurrency, self._tick = task, concurrency, tick
        self._policy = _Policy(model_seconds)
        self._sandbox_seconds = sandbox_seconds
        self._submission = (task.public / "sample_submission.csv").read_bytes()
        self._tallies = Tallies()
        self.turns = 0
        self.own_seconds: list[float] = []
        self.score_seconds: list[float] = []
        self.memory: dict[int, float] = {}

    def play(self, rollouts: int, *, turns: int) -> None:
        """Plays so many episodes of so many turns, the last of them an answer."""
        self._policy.turns = turns
        with (
            tempfile.TemporaryDirectory(prefix="sandmle-") as name,
            RolloutWriter(Path(name) / "rollouts.jsonl") as writer,
        ):
            asyncio.run(self._play(rollouts, writer))

    async def _play(self, rollouts: int, writer: RolloutWriter) -> None:
        def take(number: int, rollout: Rollout) -> None:
            writer.write(rollout)
            self._take(rollout)
            if self._tallies.rollouts in (min(WARM_UP, rollouts), rollouts):
                self.memory[self._tallies.rollouts] = _resident_mebibytes()

        await play_episodes(
            (Episode(self._task, self._policy, attempt) for attempt in range(rollouts)),
            take,
            settings=Settings(score="validity", turns=self._policy.turns, repeats=None),
            weights=load_weights("paper"),
            concurrency=self._concurrency,
            cores=self._concurrency,
            opening=self._open,
        )

    def _take(self, rollout: Rollout) -> None:
        self._tick()
        self._tallies.add(rollout)
        count = len(rollout.steps)
        self.turns += count
        model = sum(self._policy.pause(rollout.attempt, turn) for turn in range(count))
        sandbox = (count - 1) * self._sandbox_seconds
        self.own_seconds.append((rollout.seconds - model - sandbox) / count)
        self.score_seconds.append(sum(step.score_seconds for step in rollout.steps) / count)

    async def _open(self, public: Path) -> Sandbox:
        return _NoSandbox(self._submission, self._sandbox_seconds)


class _Policy:
    """Replies after a known time: a script in every turn, an answer in the last."""

    name = "stub"
    digest = "0" * 64

    def __init__(self, seconds: float) -> None:
        self._seconds, self.turns = seconds, 1

    def pause(self, attempt: int, turn: int) -> float:
        """Seconds of a turn: half to one and a half times the mean, so that turns are spread."""
        return self._seconds * random.Random(attempt * self.turns + turn).uniform(0.5, 1.5)

    def sampling(self, task: Task, attempt: int) -> None:
        """There is no model to ask."""

    async def respond(self, messages: Sequence[Message], task: Task, attempt: int = 0) -> Turn:
        """The next turn, by how many there have been."""
        played = sum(message.role == "assistant" for message in messages)
        if self._seconds:
            await asyncio.sleep(self.pause(attempt, played))
        if played + 1 == self.turns:
            return Turn("<think>That is all.</think>", answer="done")
        call = ToolCall(f"call_{played}", "python", {"code": f"{_SCRIPT}# {played}\n"})
        return Turn("<think>Let me try something else.</think>", (call,), tokens=500)


class _NoSandbox:
    """Runs no code: each step takes a fixed time and leaves a submission of its own."""

    backend = "none"
    isolated = True

    def __init__(self, submission: bytes, seconds: float) -> None:
        self._seconds = seconds
        self._submissions = _turned(submission)

    async def run(self, code: str, limits: Limits) -> StepResult:
        """What a step would tell."""
        if self._seconds:
            await asyncio.sleep(self._seconds)
        return StepResult(
            stdout=_OUTPUT,
            stderr="",
            exit_code=0,
            timed_out=False,
            out_of_memory=False,
            wall_seconds=self._seconds,
            cpu_seconds=self._seconds,
            submission=next(self._submissions),
            submission_refused=None,
            backend=self.backend,
        )

    async def close(self) -> None:
        """There is nothing to close."""


def _turned(submission: bytes) -> Iterator[bytes]:
    """The same rows, beginning with another one each time."""
    header, *rows = submission.splitlines(keepends=True)
    for first in itertools.count():
        start = first % len(rows)
        yield b"".join([header, *rows[start:], *rows[:start]])


def _resident_mebibytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * 4096 / 2**20, 1)
