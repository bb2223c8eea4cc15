"""Processes come and go: the zygote's, the caller's, and what they leave behind."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.errors import SandboxError
from sandmle.sandbox import StepResult, bwrap, layout, nursery, open_sandbox, probe
from sandmle.sandbox.launch import keeper

from .conftest import LIMITS, play_in

BARE = ()  # no libraries: many zygotes are started here


@pytest.fixture(scope="module", autouse=True)
def _end_zygotes() -> Iterator[None]:
    end_zygotes()
    yield
    end_zygotes()


def end_zygotes() -> None:
    keeper().submit(nursery._end_with_process).result()


def play_bare(public: Path, backend: str, *codes: str) -> list[StepResult]:
    return play_in(public, backend, *codes, libraries=BARE)


@pytest.fixture
def warm(public: Path) -> Path:
    """The public data, where the warm back end works."""
    if not probe.probe("warm").works:
        pytest.skip("the warm back end does not work here")
    return public


def bare_nursery() -> nursery.Nursery:
    return nursery.nursery_of(BARE)


def zygote_and_broker() -> tuple[int, int]:
    """The process ids of the living pair; the first is the bubblewrap around the zygote."""
    found = bare_nursery()
    assert found.zygote is not None
    assert found.broker is not None
    return found.zygote.process.pid, found.broker.process.pid


def zygote_itself() -> int:
    """The zygote's own process: bubblewrap's grandchild."""
    outer, _ = zygote_and_broker()
    [first] = children(outer)
    return min(children(first))  # the others are rollouts


def test_all_sandboxes_share_one_zygote(warm: Path) -> None:
    play_bare(warm, "warm", "print(1)")
    first = zygote_and_broker()
    play_bare(warm, "warm", "print(2)")
    assert zygote_and_broker() == first


def test_each_set_of_libraries_has_a_zygote(warm: Path) -> None:
    look = "import sys\nprint('numpy' in sys.modules, 'decimal' in sys.modules)"
    [bare] = play_bare(warm, "warm", look)
    [other] = play_in(warm, "warm", look, libraries=("decimal",))
    assert (bare.stdout, other.stdout) == ("False False\n", "False True\n")


def test_a_library_that_starts_threads_is_refused(
    warm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "libraries"
    folder.mkdir()
    (folder / "restless.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n"
    )
    for path in (tmp_path, folder):
        path.chmod(0o755)
    monkeypatch.syspath_prepend(str(folder))
    shown = layout.solver_layout()
    changed = replace(shown, shown=(*shown.shown, (str(folder), "/libraries")))
    monkeypatch.setattr(nursery, "solver_layout", lambda: changed)
    monkeypatch.setattr(nursery, "HUGE_PAGES", {"PYTHONPATH": "/libraries"})
    with pytest.raises(SandboxError, match="importing restless starts 1 thread, for"):
        play_in(warm, "warm", "print(1)", libraries=("restless",))


def test_a_library_that_is_missing_is_an_error(public: Path, backend: str) -> None:
    with pytest.raises(SandboxError, match="no library 'no_such_thing' is installed"):
        play_in(public, backend, "print(1)", libraries=("no_such_thing",))


def test_rollouts_outlive_their_zygote(warm: Path) -> None:
    async def play() -> None:
        sandbox = await open_sandbox(warm, backend="warm", libraries=BARE)
        await sandbox.run("open('kept', 'w').write('kept')", LIMITS)
        before = zygote_and_broker()
        os.kill(zygote_itself(), signal.SIGKILL)
        await asyncio.sleep(0.1)
        another = await open_sandbox(warm, backend="warm", libraries=BARE)
        assert (await another.run("print(3)", LIMITS)).stdout == "3\n"
        assert zygote_and_broker()[0] != before[0]
        assert (await sandbox.run("print(open('kept').read())", LIMITS)).stdout == "kept\n"
        await sandbox.close()
        await another.close()
        wait_until(lambda: before[0] not in command_lines() or is_zombie(before[0]))

    asyncio.run(play())


def test_a_step_that_has_not_begun_is_tried_again(warm: Path) -> None:
    play_bare(warm, "warm", "print(1)")
    victim = zygote_itself()

    async def play() -> StepResult:
        os.kill(victim, signal.SIGSTOP)  # it takes the request no more, and dies with it
        sandbox = await open_sandbox(warm, backend="warm", libraries=BARE)
        step = asyncio.create_task(sandbox.run("print('born')", LIMITS))
        await asyncio.sleep(0.2)
        os.kill(victim, signal.SIGKILL)
        result = await step
        await sandbox.close()
        return result

    assert asyncio.run(play()).stdout == "born\n"


@pytest.mark.parametrize("victim", ["bubblewrap", "broker"])
def test_a_dead_pair_is_replaced(warm: Path, victim: str) -> None:
    async def play() -> None:
        sandbox = await open_sandbox(warm, backend="warm", libraries=BARE)
        await sandbox.run("print(1)", LIMITS)
        before = zygote_and_broker()
        os.kill(before[victim == "broker"], signal.SIGKILL)
        await asyncio.sleep(0.3)
        another = await open_sandbox(warm, backend="warm", libraries=BARE)
        assert (await another.run("print(3)", LIMITS)).stdout == "3\n"
        await another.close()
        after = zygote_and_broker()
        replaced = (after[0] != before[0], after[1] != before[1])
        assert replaced == (victim == "bubblewrap", victim == "broker")
        if victim == "broker":
            assert (await sandbox.run("print(2)", LIMITS)).stdout == "2\n"
        else:
            with pytest.raises(SandboxError, match="ended"):
                await sandbox.run("print(2)", LIMITS)
        await sandbox.close()

    asyncio.run(play())


def test_an_idle_pair_ends(warm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nursery, "_IDLE_SECONDS", 0.1)
    play_bare(warm, "warm", "print(1)")
    wait_until(lambda: bare_nursery().zygote is None)
    [result] = play_bare(warm, "warm", "print(2)")
    assert result.stdout == "2\n"


def test_a_forked_caller_leaves_its_parents_sandboxes_alone(warm: Path) -> None:
    async def play() -> None:
        sandbox = await open_sandbox(warm, backend="warm", libraries=BARE)
        await sandbox.run("x = 1", LIMITS)
        child = os.fork()
        if child == 0:
            os._exit(1 if nursery._nurseries else 0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert (await sandbox.run("print('on')", LIMITS)).stdout == "on\n"
        await sandbox.close()

    asyncio.run(play())


def test_a_forked_caller_opens_its_own(warm: Path) -> None:
    play_bare(warm, "warm", "x = 1")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            [result] = play_bare(warm, "warm", "print('on')")
            code = 0 if result.stdout == "on\n" else 2
            nursery._end_with_process()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


CALLER = """
import asyncio, sys
from pathlib import Path
from sandmle.sandbox import Limits, open_sandbox

async def main():
    sandbox = await open_sandbox(Path(sys.argv[1]), backend=sys.argv[2], libraries=())
    await sandbox.run("x = 1", Limits())
    print("ready", flush=True)
    await sandbox.run(f"import subprocess\\nsubprocess.run(['sleep', '{sys.argv[3]}'])", Limits())

asyncio.run(main())
"""


#: Seconds that no two tests sleep, so that each finds its own sleeper.
NAPS = itertools.count(100 * os.getpid())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_caller_that_ends_leaves_no_process(
    public: Path, isolated_backend: str, number: signal.Signals
) -> None:
    nap = str(20_000_000 + next(NAPS))
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, str(public), isolated_backend, nap],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert caller.stdout is not None
    try:
        with caller.stdout:
            assert caller.stdout.readline() == "ready\n"
            wait_until(lambda: f"sleep\0{nap}\0" in command_lines().values())
            below = descendants(caller.pid)
            assert len(below) >= 3
            caller.send_signal(number)
            caller.wait(10)
    finally:
        caller.kill()
    wait_until(lambda: not below & set(command_lines()))


def test_a_step_fails_that_is_closed_under(public: Path, isolated_backend: str) -> None:
    async def play() -> None:
        sandbox = await open_sandbox(public, backend=isolated_backend, libraries=BARE)
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
            sandbox = await open_sandbox(public, backend=isolated_backend, libraries=BARE)
            step = asyncio.create_task(sandbox.run("print(1)", LIMITS))
            await asyncio.sleep(pause)
            step.cancel()
            await asyncio.wait([step])
            await sandbox.close()

    asyncio.run(play())
    wait_until(lambda: bare_nursery().rollouts == 0)


def test_hidden_folders_are_empty(
    public: Path, isolated_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = layout.solver_layout()
    place = f"/opt/venv/lib/python3.{sys.version_info.minor}/site-packages/pip"
    changed = layout.Layout(shown.shown, shown.links, (place,), shown.python)
    for module in (bwrap, nursery):
        monkeypatch.setattr(module, "solver_layout", lambda: changed)
    end_zygotes()
    code = f"import os\nprint(os.listdir({place!r}))\nopen({place!r} + '/x', 'w')"
    [result] = play_bare(public, isolated_backend, code)
    end_zygotes()
    assert result.stdout == "[]\n"
    assert "Read-only" in result.stderr


def test_the_event_loop_stays_free(public: Path, isolated_backend: str) -> None:
    async def play() -> float:
        sandbox = await open_sandbox(public, backend=isolated_backend, libraries=BARE)
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


def is_zombie(process: int) -> bool:
    return "State:\tZ" in Path(f"/proc/{process}/status").read_text()


def children(process: int) -> set[int]:
    found: set[int] = set()
    for thread in os.listdir(f"/proc/{process}/task"):
        text = Path(f"/proc/{process}/task/{thread}/children").read_text()
        found |= set(map(int, text.split()))
    return found


def descendants(process: int) -> set[int]:
    found = children(process)
    return found.union(*map(descendants, found))
