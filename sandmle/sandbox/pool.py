"""Shares a few places to work among any number of rollouts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from sandmle.errors import SandboxError
from sandmle.sandbox.interface import Sandbox, StepResult
from sandmle.sandbox.limits import Limits


class Pool:
    """Lets steps begin in the order in which they were asked for, and so many run at a time.

    A rollout takes a slot only while a step of it runs, and none while its policy thinks: a machine
    serves many more rollouts than it has processors. The wall time of a step begins when it has its
    slot. A step that is cancelled while it waits has not begun, and breaks nothing.

        async with Pool(2, functools.partial(open_sandbox, backend="warm")) as pool:
            sandbox = await pool.open(task.public)
            result = await sandbox.run(code, limits)
            await sandbox.close()

    One event loop at a time. Leaving the block closes every sandbox that is still open.
    """

    def __init__(self, slots: int, open_sandbox: Callable[[Path], Awaitable[Sandbox]]) -> None:
        """``open_sandbox`` opens a sandbox over a public folder.

        Raises:
            ValueError: fewer than one slot.
        """
        if slots < 1:
            raise ValueError(f"slots must be at least 1, not {slots}")
        self._slots = asyncio.Semaphore(slots)  # it wakes those that wait in their order
        self._open_sandbox = open_sandbox
        self._sandboxes: set[PooledSandbox] = set()
        self._closed = False

    async def open(self, public: Path) -> Sandbox:
        """Opens a sandbox whose steps wait for a slot.

        Raises:
            SandboxError: the pool is closed, or the sandbox cannot be opened.
        """
        if self._closed:
            raise SandboxError("the pool is closed")
        inner = await self._open_sandbox(public)
        if self._closed:  # meanwhile
            await inner.close()
            raise SandboxError("the pool is closed")
        sandbox = PooledSandbox(inner, self._slots, self._sandboxes.discard)
        self._sandboxes.add(sandbox)
        return sandbox

    async def close(self) -> None:
        """Closes all sandboxes; steps that run or wait fail. May be called twice."""
        self._closed = True
        await asyncio.gather(*(sandbox.close() for sandbox in list(self._sandboxes)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


class PooledSandbox:
    """Implements ``Sandbox`` over another one, whose steps need a slot."""

    def __init__(
        self,
        sandbox: Sandbox,
        slots: asyncio.Semaphore,
        forget: Callable[[PooledSandbox], None],
    ) -> None:
        """``forget`` is told when this is closed."""
        self.backend = sandbox.backend
        self.isolated = sandbox.isolated
        self._sandbox = sandbox
        self._slots = slots
        self._forget = forget
        self._turn = asyncio.Lock()

    async def run(self, code: str, limits: Limits) -> StepResult:
        """Runs one step once it has a slot; see ``Sandbox``."""
        # Its turn comes first: a step that waits for its own sandbox must not hold a slot.
        async with self._turn, self._slots:
            return await self._sandbox.run(code, limits)

    async def close(self) -> None:
        """Closes the sandbox; its steps that wait fail when they would begin."""
        self._forget(self)
        await self._sandbox.close()
