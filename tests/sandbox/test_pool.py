"""Many rollouts, few slots."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from sandmle.errors import SandboxError
from sandmle.sandbox import Limits, StepResult, open_sandbox
from sandmle.sandbox.pool import Pool

from .conftest import LIMITS

NOWHERE = Path("/")


class Recorder:
    """Sandboxes whose steps take as long as the test wants, and a list of what began."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.running = self.most = self.open = 0
        self.gate = asyncio.Event()

    async def __call__(self, public: Path) -> Recorded:
        self.open += 1
        return Recorded(self)


class Recorded:
    backend = "recorded"
    isolated = True

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.closed = False

    async def run(self, code: str, limits: Limits) -> StepResult:
        if self.closed:
            raise SandboxError("the sandbox is closed")
        recorder = self.recorder
        recorder.began.append(code)
        recorder.running += 1
        recorder.most = max(recorder.most, recorder.running)
        try:
            await recorder.gate.wait()
        finally:
            recorder.running -= 1
        return StepResult(code, "", 0, False, False, 0.0, 0.0, None, None, "recorded")

    async def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.recorder.open -= 1


async def pause() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_steps_begin_in_their_order_and_no_more_than_the_slots() -> None:
    async def play() -> None:
        recorder = Recorder()
        async with Pool(2, recorder) as pool:
            sandboxes = [await pool.open(NOWHERE) for _ in range(7)]
            steps = [
                asyncio.create_task(sandbox.run(str(number), LIMITS))
                for number, sandbox in enumerate(sandboxes)
            ]
            await pause()
            assert recorder.began == ["0", "1"]
            recorder.gate.set()
            results = await asyncio.gather(*steps)
        assert recorder.began == [str(number) for number in range(7)]
        assert [result.stdout for result in results] == recorder.began
        assert (recorder.most, recorder.open) == (2, 0)

    asyncio.run(play())


def test_a_greedy_rollout_leaves_slots_to_the_others() -> None:
    async def play() -> None:
        recorder = Recorder()
        async with Pool(2, recorder) as pool:
            greedy, modest = await pool.open(NOWHERE), await pool.open(NOWHERE)
            steps = [asyncio.create_task(greedy.run(f"g{number}", LIMITS)) for number in range(5)]
            steps.append(asyncio.create_task(modest.run("m", LIMITS)))
            await pause()
            assert recorder.began == ["g0", "m"]  # its second step waits for its first
            recorder.gate.set()
            await asyncio.gather(*steps)

    asyncio.run(play())


def test_a_step_cancelled_while_it_waits_takes_no_slot_and_breaks_nothing() -> None:
    async def play() -> None:
        recorder = Recorder()
        async with Pool(1, recorder) as pool:
            first, second, third = [await pool.open(NOWHERE) for _ in range(3)]
            running = asyncio.create_task(first.run("a", LIMITS))
            await pause()
            waiting = asyncio.create_task(second.run("b", LIMITS))
            last = asyncio.create_task(third.run("c", LIMITS))
            await pause()
            waiting.cancel()
            recorder.gate.set()
            await asyncio.gather(running, last)
            assert recorder.began == ["a", "c"]
            assert (await second.run("d", LIMITS)).stdout == "d"

    asyncio.run(play())


def test_a_step_cancelled_at_work_gives_its_slot_back() -> None:
    async def play() -> None:
        recorder = Recorder()
        async with Pool(1, recorder) as pool:
            first, second = await pool.open(NOWHERE), await pool.open(NOWHERE)
            running = asyncio.create_task(first.run("a", LIMITS))
            await pause()
            running.cancel()
            waiting = asyncio.create_task(second.run("b", LIMITS))
            await pause()
            assert recorder.began == ["a", "b"]
            recorder.gate.set()
            await waiting

    asyncio.run(play())


def test_a_closed_pool_fails_what_waits_and_opens_nothing() -> None:
    async def play() -> None:
        recorder = Recorder()
        pool = Pool(1, recorder)
        first, second = await pool.open(NOWHERE), await pool.open(NOWHERE)
        running = asyncio.create_task(first.run("a", LIMITS))
        waiting = asyncio.create_task(second.run("b", LIMITS))
        await pause()
        await pool.close()
        await pool.close()
        recorder.gate.set()
        await running
        with pytest.raises(SandboxError, match="closed"):
            await waiting
        with pytest.raises(SandboxError, match="closed"):
            await pool.open(NOWHERE)
        assert recorder.open == 0

    asyncio.run(play())


def test_a_pool_has_a_slot() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Pool(0, Recorder())


def test_rollouts_share_the_slots_of_a_real_back_end(public: Path, isolated_backend: str) -> None:
    overlap = """
import os, time
open('log', 'a').write('x')
time.sleep(0.05)
print(len(open('log').read()))
"""

    async def rollout(pool: Pool) -> list[str]:
        sandbox = await pool.open(public)
        results = [await sandbox.run(overlap, LIMITS) for _ in range(3)]
        await sandbox.close()
        return [result.stdout for result in results]

    async def play() -> list[list[str]]:
        opening = partial(open_sandbox, backend=isolated_backend, libraries=())
        async with Pool(2, opening) as pool:
            return await asyncio.gather(*(rollout(pool) for _ in range(6)))

    assert asyncio.run(play()) == [["1\n", "2\n", "3\n"]] * 6


def test_a_broken_rollout_leaves_the_pool_to_the_others(
    public: Path, isolated_backend: str
) -> None:
    async def play() -> None:
        opening = partial(open_sandbox, backend=isolated_backend, libraries=())
        async with Pool(1, opening) as pool:
            broken, whole = await pool.open(public), await pool.open(public)
            step = asyncio.create_task(broken.run("import time\ntime.sleep(60)", LIMITS))
            await asyncio.sleep(0.5)
            waiting = asyncio.create_task(whole.run("print('on')", LIMITS))
            await broken.close()
            with pytest.raises(SandboxError):
                await step
            assert (await waiting).stdout == "on\n"

    asyncio.run(play())
