"""What a training is going to do, checked without loading a model: `sandmle train --dry-run`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.errors import SandboxError
from sandmle.play.play import choose_backend
from sandmle.train.arguments import trl_arguments
from sandmle.train.configuration import TINY, Training
from sandmle.train.dataset import Tasks, choose_tasks
from sandmle.train.memory import Memory, estimate_memory
from sandmle.train.needs import missing


@dataclass(frozen=True)
class Check:
    """One thing that must be right before a training can begin, and what was found."""

    name: str
    is_right: bool
    found: str


@dataclass(frozen=True)
class Plan:
    """The plan of a training. `arguments` are TRL's, empty where the batch does not work out."""

    batch: dict[str, int]
    arguments: dict[str, Any]
    memory: Memory | None
    checks: tuple[Check, ...]
    trainer: str = "GRPOConfig"

    @property
    def faults(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(one for one in self.checks if not one.is_right)

    @property
    def data(self) -> dict[str, Any]:
        """The plan as JSON data."""
        return dataclasses.asdict(self)


def make_plan(training: Training, *, corpus: Path, out: Path, processes: int = 1) -> Plan:
    """Resolves a training for so many processes, and checks all that it needs."""
    optimisation = training.optimisation
    arguments: dict[str, Any] = {}

    def resolve() -> str:
        arguments.update(trl_arguments(training, out, processes=processes))
        accumulation = arguments["gradient_accumulation_steps"]
        return (
            f"{optimisation.tasks} tasks x {optimisation.rollouts} rollouts = {training.sequences} "
            f"sequences a step = {processes} processes x {accumulation} x {optimisation.microbatch}"
        )

    def data() -> str:
        tasks = choose_tasks(corpus, training.data, seed=training.seed)
        return _tell_tasks(tasks, training)

    def sandbox() -> str:
        settings = training.episode.settings()
        chosen = training.sandbox
        return choose_backend(chosen.backend, chosen.unsafe, settings)

    checks = (
        check("batch", resolve),
        check("installed", lambda: installed(missing(training))),
        check("data", data),
        check("model", lambda: find_model(training.model.path)),
        check("sandbox", sandbox),
        check("folder", lambda: find_folder(out)),
    )
    return Plan(
        batch={
            "tasks": optimisation.tasks,
            "rollouts": optimisation.rollouts,
            "sequences": training.sequences,
            "processes": processes,
            "microbatch": optimisation.microbatch,
            "accumulation": arguments.get("gradient_accumulation_steps", 0),
        },
        arguments=arguments,
        memory=estimate_memory(training, processes=processes),
        checks=checks,
    )


def plan_lines(plan: Plan) -> list[str]:
    """The plan for people: TRL's arguments, memory, then the checks."""
    lines = [f"TRL's {plan.trainer}:"]
    lines += [f"  {name}: {value}" for name, value in plan.arguments.items()]
    lines += ["", "memory of one process on its GPU, roughly:"]
    lines += [f"  {line}" for line in plan.memory.lines()] if plan.memory else ["  not known"]
    lines += ["", "checks:"]
    lines += [
        f"  {'ok   ' if one.is_right else 'FAULT'} {one.name}: {one.found}" for one in plan.checks
    ]
    return lines


def check(name: str, look: Callable[[], str]) -> Check:
    """What a look finds, or what is wrong where it raises what a user can mend."""
    try:
        return Check(name, True, look())
    except (ValueError, OSError, SandboxError) as error:
        return Check(name, False, str(error))


def _tell_tasks(tasks: Tasks, training: Training) -> str:
    drawn = training.optimisation.steps * training.optimisation.tasks
    return (
        f"{len(tasks.train)} tasks to learn from, each {drawn / len(tasks.train):.1f} times; "
        f"{len(tasks.validation)} to validate on"
    )


def installed(lacking: str | None) -> str:
    """Raises ValueError where something is lacking, with what that is."""
    if lacking:
        raise ValueError(lacking)
    return "all that is needed"


def find_model(path: str) -> str:
    """What the model's path leads to. Raises ValueError for a folder without a model."""
    folder = Path(path)
    if path == TINY:
        return "made on the spot"
    if (folder / "config.json").is_file():
        return f"the folder {folder}"
    if folder.is_dir() or path.startswith((".", "/", "~")):
        raise ValueError(f"{path}: no model here: there is no config.json")
    return f"{path}, from the hub or its cache; not looked for now"


def find_folder(out: Path) -> str:
    """Whether a run can begin in a folder."""
    if (out / "config.json").is_file():
        return f"{out} holds a run, to be gone on with by --resume"
    return f"{out} is free"
