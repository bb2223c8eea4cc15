"""Every back end that works on this machine, and a way to play a few steps in one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sandmle.sandbox import Limits, StepResult, open_sandbox
from sandmle.sandbox.libraries import DEFAULT
from sandmle.sandbox.probe import probe_all

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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    wanted = {"backend", "isolated_backend"} & set(metafunc.fixturenames)
    if not wanted:
        return
    found = [probe for probe in probe_all() if probe.works]
    if "backend" in wanted:
        metafunc.parametrize("backend", [probe.name for probe in found])
    else:
        names = [probe.name for probe in found if probe.isolated]
        missing = pytest.param("none", marks=pytest.mark.skip(reason="no back end isolates here"))
        metafunc.parametrize("isolated_backend", names or [missing])


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """Public data beside private answers, readable by all as a compiled task is."""
    task = tmp_path / "prepared"
    public = task / "public"
    public.mkdir(parents=True)
    (public / "train.csv").write_text("id,x,target\n0,1.5,0\n1,2.5,1\n2,3.5,1\n")
    (public / "train.csv").chmod(0o644)
    public.chmod(0o755)
    private = task / "private"
    private.mkdir()
    (private / "answers.csv").write_text("id,target\nTHE-ANSWERS,1\n")
    return public


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
def attack(public: Path, isolated_backend: str) -> Play:
    """Plays steps in a back end that has to hold them."""

    def run(*codes: str, limits: Limits = LIMITS) -> list[StepResult]:
        return play_in(public, isolated_backend, *codes, limits=limits)

    return run
