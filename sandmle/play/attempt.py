"""Awaits work whose failure is data: a policy's reply, a grade."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Attempt(Generic[Value]):
    """What came of it: a value, or the error that it raised, or neither as its time was over."""

    value: Value | None
    error: BaseException | None

    @property
    def timed_out(self) -> bool:
        """Whether its time was over before it was done."""
        return self.value is None and self.error is None

    @property
    def fault(self) -> str:
        """The error on one line."""
        return f"{type(self.error).__name__}: {self.error}"


async def attempt(work: Awaitable[Value], *, seconds: float | None = None) -> Attempt[Value]:
    """Awaits `work` for at most `seconds`, then cancels it. The caller's own cancellation goes on.

    Work that results in None has failed.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait([task], timeout=seconds)
    finally:
        finished = task.done()
        if not finished:
            task.cancel()
    if not finished:
        return Attempt(None, None)
    if task.cancelled():
        return Attempt(None, asyncio.CancelledError("cancelled from within"))
    error = task.exception()
    if error is None and task.result() is None:
        error = TypeError("it returned nothing")
    return Attempt(None if error else task.result(), error)
