"""A sandbox that runs each script once on each task, and remembers what came of it.

Training plays the same few scripts on the same few tasks hundreds of times: what it learns from is
what the real sandbox said of each of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from weakref import WeakKeyDictionary

from sandmle.sandbox import Limits, Sandbox, StepResult, open_sandbox

#: The real sandbox's answers, by public folder and script.
Memory = dict[tuple[Path, str], StepResult]


class RememberingSandbox:
    """Plays one episode; a submission stays until a later script replaces it."""

    backend = "remembering"
    isolated = True

    def __init__(self, public: Path, memory: Memory, locks: dict[str, asyncio.Lock]) -> None:
        self._public, self._memory, self._locks = public, memory, locks
        self._left: bytes | None = None

    async def run(self, code: str, limits: Limits) -> StepResult:
        key = (self._public, code)
        async with self._locks.setdefault(f"{self._public} {code}", asyncio.Lock()):
            if key not in self._memory:
                sandbox = await open_sandbox(self._public, libraries=("scikit-learn",))
                self._memory[key] = await sandbox.run(code, limits)
                await sandbox.close()
        result = self._memory[key]
        self._left = self._left if result.submission is None else result.submission
        return replace(result, submission=self._left)

    async def close(self) -> None:
        """Nothing is open."""


def remembering(memory: Memory) -> Callable[..., Awaitable[Sandbox]]:
    """Stands for `open_sandbox`; one batch of episodes has one event loop, and locks of its own."""
    locks: WeakKeyDictionary[object, dict[str, asyncio.Lock]] = WeakKeyDictionary()

    async def opening(public: Path, **_: object) -> Sandbox:
        own = locks.setdefault(asyncio.get_running_loop(), {})
        return RememberingSandbox(public, memory, own)

    return opening
