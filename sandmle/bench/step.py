"""What a step costs: in a warm sandbox, in a cold one, in a bare Python, and in AIDE."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

from sandmle.bench.aide import reason_against
from sandmle.bench.contenders import (
    LIMITS,
    Contender,
    open_aide,
    open_backend,
    open_bare_fork,
    open_cold,
)
from sandmle.bench.machine import describe_machine
from sandmle.sandbox import Sandbox, open_sandbox
from sandmle.sandbox.pool import Pool

#: The programs of steps, by name: `programs/logreg.py`.
PROGRAMS = ("logreg", "hgb", "forest")
#: The ways to run them.
WAYS = ("warm", "cold", "bwrap_cold", "aide")

_TRAIN, _TEST, _COLUMNS = 150, 100, 12
_WORKERS = 2
_EMPTY_STEPS = 10  # of a worker in a round


@dataclass(frozen=True)
class StepBench:
    """Medians over the rounds, in milliseconds of wall time.

    `fork_ms`: a bare fork of a process that has imported what the warm sandbox's zygote has;
    `empty_ms`: a warm step of no code; `empty_steps_per_s`: such steps of two workers in a second;
    `steps`: by program `warm_ms`, `cold_ms`, `bwrap_cold_ms` and `aide_ms` (None where AIDE is not
    installed).
    """

    fork_ms: float
    empty_ms: float
    empty_steps_per_s: float
    steps: Mapping[str, Mapping[str, float | None]]
    machine: Mapping[str, Any]


def bench_step(*, rounds: int, progress: Callable[[int, int], None] | None = None) -> StepBench:
    """Measures steps, the contenders taking turns in every round.

    `progress` is told how many rounds are done, and of how many. Raises SandboxError where warm
    sandboxes or bubblewrap don't work here.
    """
    return asyncio.run(_bench(rounds, progress or (lambda done, total: None)))


async def _bench(rounds: int, progress: Callable[[int, int], None]) -> StepBench:
    measured: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="sandmle-") as folder:
        public = write_data(Path(folder))
        async with AsyncExitStack() as stack:
            contenders = await _open_all(public, Path(folder), stack)
            pool = Pool(_WORKERS, partial(open_sandbox, backend="warm"))
            await stack.enter_async_context(pool)
            workers = [await pool.open(public) for _ in range(_WORKERS)]
            await _round(contenders, workers)  # starts what has to be started
            for done in range(rounds):
                progress(done, rounds)
                for name, values in (await _round(contenders, workers)).items():
                    measured[name] += values
    medians = {name: round(median(values), 3) for name, values in measured.items()}
    reason = reason_against()
    return StepBench(
        fork_ms=medians["fork"],
        empty_ms=medians["empty"],
        empty_steps_per_s=medians["rate"],
        steps={
            name: {f"{way}_ms": medians.get(f"{name} {way}") for way in WAYS} for name in PROGRAMS
        },
        machine=describe_machine([reason] if reason else []),
    )


async def _open_all(public: Path, folder: Path, stack: AsyncExitStack) -> dict[str, Contender]:
    """The ways to run a step, and the bare fork."""
    found = {
        "fork": open_bare_fork(stack),
        "warm": await open_backend("warm", public, stack),
        "cold": open_cold(public, folder),
        "bwrap_cold": await open_backend("bwrap", public, stack),
    }
    if reason_against() is None:
        found["aide"] = open_aide(public, folder, stack)
    return found


async def _round(
    contenders: Mapping[str, Contender], workers: Sequence[Sandbox]
) -> dict[str, list[float]]:
    """One round: milliseconds by what was measured, and a rate in steps a second."""
    measured: dict[str, list[float]] = defaultdict(list)
    for _ in range(_EMPTY_STEPS):
        measured["fork"].append(await contenders["fork"](""))
        measured["empty"].append(await contenders["warm"](""))
    measured["rate"].append(await _rate(workers))
    for name in PROGRAMS:
        code = program(name)
        for way in WAYS:
            if way in contenders:
                measured[f"{name} {way}"].append(await contenders[way](code))
    return measured


async def _rate(workers: Sequence[Sandbox]) -> float:
    """Empty steps a second of several sandboxes that are at work together."""

    async def work(sandbox: Sandbox) -> None:
        for _ in range(_EMPTY_STEPS):
            await sandbox.run("", LIMITS)

    start = time.perf_counter()
    await asyncio.gather(*map(work, workers))
    return len(workers) * _EMPTY_STEPS / (time.perf_counter() - start)


def program(name: str) -> str:
    """The code of a step."""
    return Path(__file__).with_name("programs").joinpath(f"{name}.py").read_text(encoding="utf-8")


def write_data(folder: Path) -> Path:
    """Writes a small binary task's public data below the folder; returns where."""
    public = folder / "public"
    public.mkdir()
    folder.chmod(0o755)  # sandboxes are other users
    rng = np.random.default_rng(0)
    for name, rows in (("train", _TRAIN), ("test", _TEST)):
        values = rng.normal(size=(rows, _COLUMNS)).round(4)
        table = pd.DataFrame(values, columns=[f"x{index}" for index in range(_COLUMNS)])
        table.insert(0, "id", np.arange(rows))
        if name == "train":
            table["target"] = (values[:, 0] + values[:, 1] * values[:, 2] > 0).astype(int)
        table.to_csv(public / f"{name}.csv", index=False)
    return public
