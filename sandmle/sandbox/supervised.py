"""A sandbox whose steps are run by a supervisor process of its own."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sandmle.errors import SandboxError
from sandmle.sandbox.exchange import exchange
from sandmle.sandbox.inside.wire import encode
from sandmle.sandbox.interface import StepResult
from sandmle.sandbox.launch import Child
from sandmle.sandbox.limits import Limits, limits_to_mapping

_START_SECONDS = 60.0  # on a busy machine
_GRACE_SECONDS = 20.0  # for a supervisor that has to kill a crowd on a busy machine


class EndedError(SandboxError):
    """A process of the sandbox ended where an answer was expected."""


@dataclass(frozen=True, slots=True)
class Supervisor:
    """A supervisor that has been greeted.

    Attributes:
        connection: The socket to it.
        last_words: What it, or what it runs in, had to say; for an error message.
        end: Ends it and all that it runs; may block for a moment.
    """

    connection: socket.socket
    last_words: Callable[[], str]
    end: Callable[[], None]


class SupervisedSandbox:
    """Implements ``Sandbox`` over a supervisor, which is started by the first step."""

    def __init__(
        self,
        backend: str,
        isolated: bool,
        start: Callable[[Limits], Awaitable[Supervisor]],
    ) -> None:
        """``start`` is called by the first step, with its limits."""
        self.backend = backend
        self.isolated = isolated
        self._start = start
        self._turn = asyncio.Lock()
        self._supervisor: Supervisor | None = None
        self._closed = False

    async def run(self, code: str, limits: Limits) -> StepResult:
        """Runs one step; see ``Sandbox``."""
        async with self._turn:
            if self._closed:
                raise SandboxError("the sandbox is closed, or an earlier step broke it")
            done = False
            try:
                if self._supervisor is None:
                    self._supervisor = await self._start(limits)
                result = await _step(self._supervisor, self.backend, code, limits)
                done = True
            finally:
                if (
                    not done
                ):  # also when this task is cancelled: what the supervisor does is unknown
                    self._end()
            return result

    async def close(self) -> None:
        """Ends the supervisor and removes the working folder; a step still at work fails."""
        if self._supervisor is not None and not self._closed:
            with suppress(OSError):  # it may have ended by itself
                self._supervisor.connection.shutdown(socket.SHUT_RDWR)
        async with self._turn:
            await asyncio.to_thread(self._end)

    def _end(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._supervisor is not None:
            self._supervisor.end()


async def greet_child(child: Child, settings: Mapping[str, Any]) -> Supervisor:
    """Makes a supervisor of a child, or ends it.

    Raises:
        SandboxError: it is no use.
    """
    supervisor = Supervisor(child.connection, child.last_words, child.end)
    greeted = False
    try:
        await greet(supervisor, settings)
        greeted = True
    finally:
        if not greeted:
            child.end()
    return supervisor


async def greet(supervisor: Supervisor, settings: Mapping[str, Any]) -> list[int]:
    """Sends a supervisor its settings; returns the descriptors that come with its greeting.

    Raises:
        SandboxError: it is not fit for work.
    """
    supervisor.connection.setblocking(False)
    header, _, descriptors = await _ask(supervisor, encode(settings), _START_SECONDS)
    if "failed" in header:
        raise SandboxError(f"the sandbox could not be built: {header['failed']}")
    return descriptors


async def _step(supervisor: Supervisor, backend: str, code: str, limits: Limits) -> StepResult:
    source = code.encode(errors="backslashreplace")  # a lone surrogate is no reason to fail
    request = encode({"limits": limits_to_mapping(limits)}, [source])
    header, pieces, _ = await _ask(supervisor, request, limits.wall_seconds + _GRACE_SECONDS)
    if "failed" in header:
        raise SandboxError(f"the step could not be started: {header['failed']}")
    stdout, stderr, *submission = pieces
    return StepResult(
        stdout=stdout.decode(errors="replace"),
        stderr=stderr.decode(errors="replace"),
        submission=submission[0] if submission else None,
        backend=backend,
        **header,
    )


async def _ask(
    supervisor: Supervisor, request: bytes, seconds: float
) -> tuple[dict[str, Any], list[bytes], list[int]]:
    try:
        return await exchange(supervisor.connection, request, seconds)
    except TimeoutError as error:
        raise SandboxError(f"the supervisor gave no answer in {seconds:g} seconds") from error
    except (EOFError, ConnectionError) as error:
        raise EndedError(f"the supervisor ended: {supervisor.last_words()}") from error
