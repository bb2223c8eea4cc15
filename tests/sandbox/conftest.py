"""Every back end that works on this machine, and a way to play a few steps in one."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sandmle.sandbox import Limits, StepResult, open_sandbox
from sandmle.sandbox.libraries import DEFAULT
from sandmle.sandbox.probe import probe, probe_all

from .unprivileged import Unprivileged

MEBIBYTE = 1024 * 1024

# Small enough for two busy cores, large enough for every test that is not about limits.
LIMITS = Limits(
    wall_seconds=60,
    memory_bytes=512 * MEBIBYTE,
    file_bytes=16 * MEBIBYTE,
    workspace_bytes=32 * MEBIBYTE,
    workspace_files=500,
    processes=32,
    submission_bytes=MEBIBYTE,
)

Play = Callable[..., list[StepResult]]
Call = Callable[..., Any]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    wanted = {"backend", "isolated_backend", "attacked"} & set(metafunc.fixturenames)
    if not wanted:
        return
    found = [probe for probe in probe_all() if probe.works]
    if "backend" in wanted:
        metafunc.parametrize("backend", [probe.name for probe in found])
        return
    names = [probe.name for probe in found if probe.isolated]
    missing = pytest.param("none", marks=pytest.mark.skip(reason="no back end isolates here"))
    if "isolated_backend" in wanted:
        metafunc.parametrize("isolated_backend", names or [missing])
    else:
        attacked: list[object] = list(names)
        if os.geteuid() == 0:
            # The back ends share all but the start; that of the strongest differs most.
            slow = [pytest.param(f"{name}-nobody", marks=pytest.mark.slow) for name in names[1:]]
            attacked += [*(f"{name}-nobody" for name in names[:1]), *slow]
        metafunc.parametrize("attacked", attacked or [missing])


@pytest.fixture(scope="session")
def unprivileged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unprivileged]:
    """Another user, who has no rights."""
    user = Unprivileged(tmp_path_factory.mktemp("spare"))
    yield user
    user.close()


@pytest.fixture
def public() -> Iterator[Path]:
    """Public data beside private answers, readable by all as a compiled task is."""
    with tempfile.TemporaryDirectory(prefix="sandmle-task-") as folder:
        public, private = Path(folder, "public"), Path(folder, "private")
        public.mkdir()
        private.mkdir()
        (public / "train.csv").write_text("id,x,target\n0,1.5,0\n1,2.5,1\n2,3.5,1\n")
        (private / "answers.csv").write_text("id,target\nTHE-ANSWERS,1\n")
        (public / "train.csv").chmod(0o644)
        for readable in (Path(folder), public, private):
            readable.chmod(0o755)
        yield public


def play_in(
    public: Path,
    backend: str,
    *codes: str,
    limits: Limits = LIMITS,
    libraries: Sequence[str] = DEFAULT,
) -> list[StepResult]:
    """Runs steps of one rollout, in order."""

    async def play() -> list[StepResult]:
        sandbox = await open_sandbox(public, backend=backend, unsafe=True, libraries=libraries)
        try:
            return [await sandbox.run(code, limits) for code in codes]
        finally:
            await sandbox.close()

    return asyncio.run(play())


@pytest.fixture
def play(public: Path, backend: str) -> Play:
    """Plays steps over the public data in a back end."""

    def run(*codes: str, limits: Limits = LIMITS) -> list[StepResult]:
        return play_in(public, backend, *codes, limits=limits)

    return run


@pytest.fixture
def call(attacked: str, request: pytest.FixtureRequest) -> Call:
    """Calls a function with a back end that has to hold; as root also as a user without rights."""
    backend, _, nobody = attacked.partition("-")
    if not nobody:
        return lambda function, *arguments: function(backend, *arguments)
    user: Unprivileged = request.getfixturevalue("unprivileged")
    try:
        works = user.call(works_here, backend)
    except (EOFError, OSError):
        works = False
    if not works:
        pytest.skip("the unprivileged user cannot use this back end here")
    return lambda function, *arguments: user.call(function, backend, *arguments)


@pytest.fixture
def attack(public: Path, call: Call) -> Play:
    """Plays steps in a back end that has to hold them."""

    def run(*codes: str, limits: Limits = LIMITS) -> list[StepResult]:
        results: list[StepResult] = call(attack_in, public, codes, limits)
        return results

    return run


def attack_in(backend: str, public: Path, codes: Sequence[str], limits: Limits) -> list[StepResult]:
    """`play_in` for `call`."""
    return play_in(public, backend, *codes, limits=limits)


def works_here(backend: str) -> bool:
    """Whether this user can use a back end."""
    return probe(backend).works


def held(*results: StepResult) -> None:
    """Attack code prints ESCAPED where it got what it wanted."""
    for result in results:
        assert "ESCAPED" not in result.stdout, result.stdout
