"""Processes come and go: the zygote's, the caller's, and what they leave behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandmle.errors import SandboxError
from sandmle.sandbox import bwrap, layout, nursery, open_sandbox, probe
from sandmle.sandbox.launch import keeper

from .conftest import LIMITS, play_in


@pytest.fixture(scope="module", autouse=True)
def _quick_zygotes() -> Iterator[None]:
    """Zygotes without libraries: many are started here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nursery, "LIBRARIES", ())
        end_zygote()
        yield
    end_zygote()


def end_zygote() -> None:
    keeper().submit(nursery._end_with_process).result()


@pytest.fixture
def warm(public: Path) -> Path:
    """The public data, where the warm back end works."""
    if not probe.probe("warm").works:
        pytest.skip("the warm back end does not work here")
    return public


def zygote_and_broker() -> tuple[int, int]:
    """The process ids of the living pair."""
    found = nursery._nursery
    assert found is not None
    return found.zygote.process.pid, found.broker.process.pid


def test_all_sandboxes_share_one_zygote(warm: Path) -> None:
    play_in(warm, "warm", "print(1)")
    first = zygote_and_broker()
    play_in(warm, "warm", "print(2)")
    assert zygote_and_broker() == first


@pytest.mark.parametrize("victim", ["zygote", "broker"])
def test_a_dead_pair_is_replaced(warm: Path, victim: str) -> None:
    async def play() -> None:
        sandbox = await open_sandbox(warm, backend="warm")
        await sandbox.run("print(1)", LIMITS)
        before = zygote_and_broker()
        os.kill(before[victim == "broker"], signal.SIGKILL)
        await asyncio.sleep(0.3)
        if victim == "zygote":
            with pytest.raises(SandboxError, match="ended"):
                await sandbox.run("print(2)", LIMITS)
        another = await open_sandbox(warm, backend="warm")
        assert (await another.run("print(3)", LIMITS)).stdout == "3\n"
        await another.close()
        after = zygote_and_broker()
        assert (after[0] != before[0], after[1] != before[1]) == (victim == "zygote", True)
        if victim == "broker":
            assert (await sandbox.run("print(2)", LIMITS)).stdout == "2\n"
        await sandbox.close()

    asyncio.run(play())


def test_an_idle_pair_ends(warm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nursery, "_IDLE_SECONDS", 0.1)
    play_in(warm, "warm", "print(1)")
    deadline = time.monotonic() + 10
    while nursery._nursery is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert nursery._nursery is None
    [result] = play_in(warm, "warm", "print(2)")
    assert result.stdout == "2\n"


def test_a_forked_caller_leaves_its_parents_sandboxes_alone(warm: Path) -> None:
    async def play() -> None:
        sandbox = await open_sandbox(warm, backend="warm")
        await sandbox.run("x = 1", LIMITS)
        child = os.fork()
        if child == 0:
            os._exit(0 if nursery._nursery is None else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert (await sandbox.run("print('on')", LIMITS)).stdout == "on\n"
        await sandbox.close()

    asyncio.run(play())


def test_a_forked_caller_opens_its_own(warm: Path) -> None:
    play_in(warm, "warm", "x = 1")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            [result] = play_in(warm, "warm", "print('on')")
            code = 0 if result.stdout == "on\n" else 2
            nursery._end_with_process()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


CALLER = """
import asyncio, sys
from pathlib import Path
from sandmle.sandbox import Limits, nursery, open_sandbox

async def main():
    nursery.LIBRARIES = ()
    sandbox = await open_sandbox(Path(sys.argv[1]), backend=sys.argv[2])
    await sandbox.run("x = 1", Limits())
    print("ready", flush=True)
    await sandbox.run(f"import subprocess\\nsubprocess.run(['sleep', '{sys.argv[3]}'])", Limits())

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_caller_that_ends_leaves_no_process(
    public: Path, isolated_backend: str, number: signal.Signals
) -> None:
    nap = str(20_000_000 + os.getpid())
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, str(public), isolated_backend, nap],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert caller.stdout is not None
    with caller.stdout:
        assert caller.stdout.readline() == "ready\n"
        wait_until(lambda: f"sleep\0{nap}\0" in command_lines().values())
        below = descendants(caller.pid)
        assert len(below) >= 3
        caller.send_signal(number)
        caller.wait(10)
    wait_until(lambda: not below & set(command_lines()))


def test_a_step_fails_that_is_closed_under(public: Path, isolated_backend: str) -> None:
    async def play() -> None:
        sandbox = await open_sandbox(public, backend=isolated_backend)
        step = asyncio.create_task(sandbox.run("import time\ntime.sleep(60)", LIMITS))
        await asyncio.sleep(1)
        started = time.monotonic()
        await sandbox.close()
        assert time.monotonic() - started < 5
        with pytest.raises(SandboxError):
            await step

    asyncio.run(play())


def test_cancelled_while_it_is_opened(public: Path, isolated_backend: str) -> None:
    async def play() -> None:
        for pause in (0, 0.001, 0.01, 0.03, 0.06):
            sandbox = await open_sandbox(public, backend=isolated_backend)
            step = asyncio.create_task(sandbox.run("print(1)", LIMITS))
            await asyncio.sleep(pause)
            step.cancel()
            await asyncio.wait([step])
            await sandbox.close()

    asyncio.run(play())
    wait_until(lambda: nursery._rollouts == 0)


def test_hidden_folders_are_empty(
    public: Path, isolated_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = layout.solver_layout()
    place = f"/opt/venv/lib/python3.{sys.version_info.minor}/site-packages/pip"
    changed = layout.Layout(shown.shown, shown.links, (place,), shown.python)
    for module in (bwrap, nursery):
        monkeypatch.setattr(module, "solver_layout", lambda: changed)
    end_zygote()
    code = f"import os\nprint(os.listdir({place!r}))\nopen({place!r} + '/x', 'w')"
    [result] = play_in(public, isolated_backend, code)
    end_zygote()
    assert result.stdout == "[]\n"
    assert "Read-only" in result.stderr


def test_the_event_loop_stays_free(public: Path, isolated_backend: str) -> None:
    async def play() -> float:
        sandbox = await open_sandbox(public, backend=isolated_backend)
        step = asyncio.create_task(sandbox.run("import time\ntime.sleep(0.5)", LIMITS))
        longest = 0.0
        while not step.done():
            started = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - started)
        await sandbox.close()
        return longest

    assert asyncio.run(play()) < 0.4


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def command_lines() -> dict[int, str]:
    found = {}
    for process in os.listdir("/proc"):
        if process.isdigit():
            try:
                found[int(process)] = Path(f"/proc/{process}/cmdline").read_text()
            except OSError:
                continue
    return found


def descendants(process: int) -> set[int]:
    found: set[int] = set()
    for thread in os.listdir(f"/proc/{process}/task"):
        children = Path(f"/proc/{process}/task/{thread}/children").read_text().split()
        for child in map(int, children):
            found |= {child} | descendants(child)
    return found
