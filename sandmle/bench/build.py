"""What a build costs: of many tasks, beside a plain process pool, and of nothing."""

from __future__ import annotations

import dataclasses
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from sandmle.bench.machine import describe_machine
from sandmle.build.client import environment
from sandmle.build.plan import corpus_specs
from sandmle.build.run import snakemake_command
from sandmle.build.verdict import VERDICT_FILE, dump_verdict, load_verdict
from sandmle.resources import resource
from sandmle.spec.load import dump_spec, load_spec

#: So many specs a run looks at that has nothing to do, and so often.
UNCHANGED = 1000
_LOOKS = 3

_BUILT, _REJECTED = 0, 1  # exit codes of `sandmle build`: what is rejected costs no less


@dataclass(frozen=True)
class BuildBench:
    """Processor seconds of all processes together, medians over the rounds.

    `pool_cpu_s`: the tasks built in a plain process pool; `build_cpu_s`: by `sandmle build`;
    `noop_1000_cpu_s`: a `sandmle build` of a thousand specs that are built already.
    """

    tasks: int
    pool_cpu_s: float
    build_cpu_s: float
    noop_1000_cpu_s: float
    machine: Mapping[str, Any]


def bench_build(
    *,
    tasks: int,
    rounds: int,
    cores: int,
    progress: Callable[[int, int], None] | None = None,
) -> BuildBench:
    """Measures builds, pool and `sandmle build` taking turns in every round.

    The tasks are those of the shipped specs, with other random seeds. `progress` is told how many
    stages are done, and of how many.
    """
    stages = 2 * rounds + 1 + _LOOKS
    done = itertools.count()

    def tick() -> None:
        if progress is not None:
            progress(next(done), stages)

    pool_seconds, build_seconds = [], []
    with tempfile.TemporaryDirectory(prefix="sandmle-") as name:
        folder = Path(name)
        corpus = write_variants(folder / "corpus", tasks)
        for _ in range(rounds):
            tick()
            pool_seconds.append(_pool(corpus, folder / "pool", cores))
            tick()
            build_seconds.append(_build(corpus, cores))
        tick()
        unchanged = write_unchanged(folder / "unchanged", corpus / "build" / "tasks")
        looks = []
        for _ in range(_LOOKS):
            tick()
            looks.append(cpu_seconds(_command(unchanged, cores)))
    return BuildBench(
        tasks=tasks,
        pool_cpu_s=round(median(pool_seconds), 3),
        build_cpu_s=round(median(build_seconds), 3),
        noop_1000_cpu_s=round(median(looks), 3),
        machine=describe_machine(),
    )


def _pool(corpus: Path, folder: Path, cores: int) -> float:
    """The processor seconds of building a corpus in a pool."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-P", "-m", "sandmle.bench.pool"]
    return cpu_seconds([*command, str(corpus), str(folder), str(cores)], environment("0"))


def _build(corpus: Path, cores: int) -> float:
    """The processor seconds of building a corpus from nothing."""
    for name in ("build", ".snakemake"):
        shutil.rmtree(corpus / name, ignore_errors=True)
    return cpu_seconds(_command(corpus, cores))


def _command(corpus: Path, cores: int) -> list[str]:
    command = [sys.executable, "-P", "-m", "sandmle", "build"]
    return [*command, "--corpus", str(corpus), "--cores", str(cores)]


def cpu_seconds(command: list[str], settings: Mapping[str, str] = os.environ) -> float:
    """Runs a command; the processor time of it and of all processes that it waited for.

    `settings` are its environment. Raises RuntimeError where it fails.
    """
    silence = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(command[0], command, settings, file_actions=silence)
    _, status, usage = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) not in (_BUILT, _REJECTED):
        raise RuntimeError(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def write_variants(corpus: Path, count: int) -> Path:
    """A corpus of shipped specs with other random seeds, and without thresholds."""
    folder = corpus / "specs" / "tasks"
    folder.mkdir(parents=True)
    shipped = [load_spec(path) for path in sorted((resource("specs") / "tasks").glob("*.yaml"))]
    for index in range(count):
        spec = shipped[index % len(shipped)]
        variant = dataclasses.replace(
            spec, id=f"{spec.id}-{index}", random_seed=spec.random_seed + index + 1, thresholds=None
        )
        (folder / f"{variant.id}.yaml").write_text(dump_spec(variant), encoding="utf-8")
    return corpus


def write_unchanged(corpus: Path, built: Path) -> Path:
    """A corpus that counts as built; its verdicts are copies of some that were built."""
    write_variants(corpus, UNCHANGED)
    verdicts = [load_verdict(path.parent) for path in sorted(built.glob(f"*/{VERDICT_FILE}"))]
    for path, verdict in zip(corpus_specs(corpus), itertools.cycle(verdicts), strict=False):
        folder = corpus / "build" / "tasks" / path.stem
        folder.mkdir(parents=True)
        copy = dataclasses.replace(verdict, id=path.stem, accepted=True, reasons=())
        (folder / VERDICT_FILE).write_text(dump_verdict(copy), encoding="utf-8")
    touch = [*snakemake_command(corpus), "--cores", "1", "--touch", "--quiet", "all"]
    for command in (touch, _command(corpus, 1)):  # the second writes the index
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
    return corpus
