"""The ways to run a step that are compared, each opened over the same public data."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

from sandmle.build.client import environment
from sandmle.sandbox import Limits, open_sandbox
from sandmle.sandbox.layout import solver_environment
from sandmle.sandbox.libraries import DEFAULT, modules_of
from sandmle.sandbox.nursery import HUGE_PAGES

#: Runs code, and returns the milliseconds from the call to the result.
Contender = Callable[[str], Awaitable[float]]

LIMITS = Limits(wall_seconds=600)


async def open_backend(backend: str, public: Path, stack: AsyncExitStack) -> Contender:
    """Steps of one rollout in a sandbox. Raises SandboxError where the back end doesn't work."""
    sandbox = await open_sandbox(public, backend=backend)
    stack.push_async_callback(sandbox.close)

    async def run(code: str) -> float:
        start = time.perf_counter()
        result = await sandbox.run(code, LIMITS)
        milliseconds = 1000 * (time.perf_counter() - start)
        if result.exit_code:
            raise RuntimeError(f"{backend}: {result.stderr}")
        return milliseconds

    return run


def open_cold(public: Path, folder: Path) -> Contender:
    """A new Python for each step, which nothing isolates."""
    work = _workplace(public, folder / "cold")
    settings = solver_environment(sys.executable, str(work), str(folder))

    async def run(code: str) -> float:
        (work / "main.py").write_text(code, encoding="utf-8")
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "main.py"], cwd=work, env=settings, capture_output=True, check=False
        )
        milliseconds = 1000 * (time.perf_counter() - start)
        if done.returncode:
            raise RuntimeError(f"cold: {done.stderr.decode(errors='replace')}")
        return milliseconds

    return run


def open_aide(public: Path, folder: Path, stack: AsyncExitStack) -> Contender:
    """AIDE's own interpreter."""
    work = _workplace(public, folder / "aide")
    return stack.enter_context(_host("sandmle.bench.aide", [str(work)], environment("0")))


def open_bare_fork(stack: AsyncExitStack) -> Contender:
    """A fork of a process that has imported what a warm sandbox's zygote has; runs no code."""
    settings = {**environment("0"), **HUGE_PAGES}
    return stack.enter_context(_host("sandmle.bench.bare_fork", modules_of(DEFAULT), settings))


def _workplace(public: Path, folder: Path) -> Path:
    """A folder to work in, with the data where solvers look for it."""
    folder.mkdir()
    (folder / "data").symlink_to(public)
    return folder


@contextmanager
def _host(module: str, arguments: Sequence[str], settings: dict[str, str]) -> Iterator[Contender]:
    """A process of this package that runs each line of code and prints the milliseconds."""
    with subprocess.Popen(
        [sys.executable, "-P", "-m", module, *arguments],
        env=settings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        async def run(code: str) -> float:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(code) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"{module} has ended")
            return float(line)

        try:
            yield run
        finally:
            process.communicate()  # it ends with its stdin
