"""What a step of the tiny training takes, part by part, and what its scripts would take cold.

The training is the shipped one, on some of its tasks. What was sampled in each of its steps is then
played again without a model, by the same code: in sandboxes, as in training; in sandboxes that
remember; by graders that remember, too. A part takes what playing is shorter by without it. In
between the same scripts run cold, so that both are measured on the same machine at the same time.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from sandmle.bench.cold import run_cold
from sandmle.bench.machine import describe_machine
from sandmle.bench.remembered import Listening, Memory, Repeating
from sandmle.bench.shipped import build_shipped
from sandmle.grading import Grade, load_grader
from sandmle.play.play import choose_backend
from sandmle.play.task import Task
from sandmle.resources import resource
from sandmle.sandbox import Limits, open_sandbox
from sandmle.train.batch import Batch
from sandmle.train.configuration import Training, load_training
from sandmle.train.dataset import Tasks
from sandmle.train.files import METRICS_FILE
from sandmle.train.generation import Sampled
from sandmle.train.metrics import read_metrics
from sandmle.train.needs import missing
from sandmle.train.rollouts import Rollouts
from sandmle.train.run import build_trainer, quiet

#: So many of the training's tasks are built at most, from all along its list.
TASKS = 8

#: Stages of a step after it was trained, for whom the progress is shown.
_STAGES = 5

_RUN = "run"


@dataclass(frozen=True)
class TrainingBench:
    """Medians over `steps` steps of so many `episodes` each; seconds are wall time.

    `step_s`, `generate_s` and `update_s` are of the training itself, where the model replies to
    some while sandboxes work for others. `warm_s` is what the same episodes take without a model,
    side by side in warm sandboxes; `sandbox_s`, `score_s` and `harness_s` are its parts.
    `cold_scripts_s` and `cold_grades_s`: their scripts, and the grading of what these submit, each
    in a Python of its own, one after the other. `warm_cpu_s` and `cold_cpu_s` are processor time
    of scripts and graders, and of this process; what sandboxes take themselves is not in it.
    """

    steps: int
    episodes: int
    scripts: float
    grades: float
    step_s: float
    generate_s: float
    update_s: float
    warm_s: float
    sandbox_s: float
    score_s: float
    harness_s: float
    warm_cpu_s: float
    cold_scripts_s: float
    cold_grades_s: float
    cold_cpu_s: float
    machine: Mapping[str, Any]

    @property
    def outside_s(self) -> float:
        """What is left of a step without generation and update."""
        return self.step_s - self.generate_s - self.update_s

    @property
    def cold_s(self) -> float:
        """The environment's work, cold and one by one."""
        return self.cold_scripts_s + self.cold_grades_s


def bench_training(
    *,
    steps: int,
    tasks: int = 4,
    rollouts: int = 10,
    progress: Callable[[int, int], None] | None = None,
) -> TrainingBench:
    """Trains so many steps, each of `tasks` tasks by `rollouts` episodes, and plays them again.

    `progress` is told how many stages are done, and of how many. Raises ModuleNotFoundError where
    the extra `train` is not installed, SandboxError where no sandbox works here.
    """
    training = _training(steps, tasks, rollouts)
    lacking = missing(training)
    if lacking:
        raise ModuleNotFoundError(lacking)
    names = _chosen(training.data.ids, min(TASKS, steps * tasks))
    done, stages = itertools.count(), len(names) + 1 + _STAGES * steps

    def tick() -> None:
        if progress is not None:
            progress(next(done), stages)

    with tempfile.TemporaryDirectory(prefix="sandmle-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # sandboxes are other users
        built = []
        for name in names:
            tick()
            built.append(build_shipped(name, folder / "tasks"))
        tick()
        trained = _train(training, built, folder)
        measured: dict[str, list[float]] = defaultdict(list)
        for number in range(1, steps + 1):
            for key, value in _measure(trained, number, folder / f"again-{number}", tick).items():
                measured[key].append(value)
    for key in ("step", "generate", "update"):
        measured[f"{key}_s"] = [seconds[key] for seconds in trained.seconds]
    return TrainingBench(
        steps=steps,
        episodes=tasks * rollouts,
        machine=describe_machine(),
        **{key: round(median(values), 3) for key, values in measured.items()},
    )


def _training(steps: int, tasks: int, rollouts: int) -> Training:
    """The shipped training with so many steps, validated on little and only once."""
    training = load_training(resource("training") / "tiny.yaml")
    optimisation = replace(
        training.optimisation,
        steps=steps,
        tasks=tasks,
        rollouts=rollouts,
        microbatch=tasks * rollouts,
    )
    return replace(
        training,
        optimisation=optimisation,
        evaluation=replace(training.evaluation, every=steps, attempts=1),
        checkpoints=replace(training.checkpoints, every=steps),
        report=(),
    )


def _chosen(names: Sequence[str], count: int) -> list[str]:
    """So many of the names, evenly spread."""
    return [names[place * len(names) // count] for place in range(count)]


@dataclass(frozen=True)
class _Trained:
    """What was played in training, what its model said, and the seconds of each step."""

    rollouts: Rollouts
    said: dict[int, Sampled]
    batches: list[Batch]
    seconds: list[Mapping[str, float]]


def _train(training: Training, tasks: Sequence[Task], folder: Path) -> _Trained:
    """Trains in a process that has warm sandboxes already."""
    asyncio.run(_warm_up(tasks[0], training))
    said: dict[int, Sampled] = {}
    batches: list[Batch] = []
    out = folder / _RUN
    with quiet():
        trainer = build_trainer(
            training,
            Tasks(train=tuple(tasks), validation=tuple(tasks[:1])),
            corpus=folder,
            out=out,
            begins=False,
        )
        rollouts: Rollouts = trainer.rollout_func
        generator, keep = rollouts.generator, rollouts.on_batch

        def keep_both(batch: Batch) -> None:
            batches.append(batch)
            keep(batch)

        rollouts.generator = lambda trainer: Listening(generator(trainer), said)
        rollouts.on_batch = keep_both
        trainer.train()
    lines = read_metrics(out / METRICS_FILE)
    seconds = [line["seconds"] for line in lines if line["split"] == "train"]
    return _Trained(rollouts, said, batches, seconds)


async def _warm_up(task: Task, training: Training) -> None:
    """Starts what warm sandboxes come from. Raises SandboxError where none works here."""
    settings, sandbox = training.episode.settings(), training.sandbox
    backend = choose_backend(sandbox.backend, sandbox.unsafe, settings)
    opened = await open_sandbox(task.public, backend=backend, libraries=settings.libraries)
    await opened.run("", Limits())
    await opened.close()


def _measure(
    trained: _Trained, number: int, folder: Path, tick: Callable[[], None]
) -> dict[str, float]:
    """What the environment's work of a step takes: side by side and warm, by parts, and cold."""
    rollouts, memory = trained.rollouts, Memory()
    settings, sandbox = rollouts.training.episode.settings(), rollouts.training.sandbox
    opening = functools.partial(
        open_sandbox,
        backend=choose_backend(sandbox.backend, sandbox.unsafe, settings),
        libraries=settings.libraries,
    )
    ids = [rollout.task for rollout in trained.batches[number - 1].rollouts]
    places = itertools.count()

    def play(**changes: Any) -> tuple[float, Batch]:
        """The processor time of this process, and what was played."""
        tick()
        again = replace(rollouts, folder=folder / f"play-{next(places)}", **changes)
        started = time.process_time()
        batch = again.play(ids, Repeating(trained.said), step=number, split="train")
        return time.process_time() - started, batch

    play(opening=memory.watching(opening), grade=memory.watching_grades(_grade))
    own_cpu, warm = play()
    tick()
    cold = run_cold(warm.rollouts, rollouts.tasks, folder / "cold")
    _, graded = play(opening=memory.open)
    _, bare = play(opening=memory.open, grade=memory.grade)
    calls = [call for rollout in warm.rollouts for step in rollout.steps for call in step.calls]
    warm_s, graded_s, bare_s = (batch.seconds["rollouts"] for batch in (warm, graded, bare))
    return {
        "scripts": cold.scripts,
        "grades": cold.grades,
        "warm_s": warm_s,
        "sandbox_s": warm_s - graded_s,
        "score_s": graded_s - bare_s,
        "harness_s": bare_s,
        "warm_cpu_s": own_cpu + sum(call.cpu_seconds or 0.0 for call in calls),
        "cold_scripts_s": cold.script_seconds,
        "cold_grades_s": cold.grade_seconds,
        "cold_cpu_s": cold.cpu_seconds,
    }


def _grade(task: Task, submission: bytes) -> Grade:
    return load_grader(task.folder).grade(submission)
