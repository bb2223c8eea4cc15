"""A sandbox whose steps are run by a supervisor process of its own."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any

from sandmle.errors import SandboxError
from sandmle.sandbox.bootstrap import LOADER, sealed_modules
from sandmle.sandbox.inside.wire import LENGTH, decode_header, encode
from sandmle.sandbox.interface import StepResult
from sandmle.sandbox.limits import Limits, limits_to_mapping

_START_SECONDS = 60.0  # on a busy machine
_GRACE_SECONDS = 20.0  # for a supervisor that has to kill a crowd on a busy machine
_END_SECONDS = 5.0
_MOST_DIAGNOSIS = 2000  # bytes of a failed supervisor's last words


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a supervisor.

    Attributes:
        command: The command line, up to and with the interpreter.
        entry: The module that takes over inside.
        settings: Its first message.
        descriptors: What the command inherits besides the socket; closed here once it has started.
    """

    command: tuple[str, ...]
    entry: str
    settings: Mapping[str, Any]
    descriptors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Supervisor:
    process: subprocess.Popen[bytes]
    connection: socket.socket
    diagnosis: IO[bytes]


class SupervisedSandbox:
    """Implements ``Sandbox`` over a supervisor, which is started by the first step.

    The supervisor ends with the thread that ran the first step, at the latest.
    """

    def __init__(
        self,
        backend: str,
        isolated: bool,
        prepare: Callable[[Limits], Launch],
        tidy: Callable[[], None],
    ) -> None:
        """``prepare`` is called by the first step with its limits, ``tidy`` once at the end."""
        self.backend = backend
        self.isolated = isolated
        self._prepare = prepare
        self._tidy = tidy
        self._turn = asyncio.Lock()
        self._supervisor: _Supervisor | None = None
        self._closed = False

    async def run(self, code: str, limits: Limits) -> StepResult:
        """Runs one step; see ``Sandbox``."""
        async with self._turn:
            if self._closed:
                raise SandboxError("the sandbox is closed, or an earlier step broke it")
            done = False
            try:
                if self._supervisor is None:
                    launch = self._prepare(limits)
                    self._supervisor = _start(launch)
                    await _greet(self._supervisor, launch.settings)
                result = await _step(self._supervisor, self.backend, code, limits)
                done = True
            finally:
                if (
                    not done
                ):  # also when this task is cancelled: what the supervisor does is unknown
                    self._end()
            return result

    async def close(self) -> None:
        """Ends the supervisor and removes the working folder."""
        self._end()

    def _end(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._supervisor is not None:
            _stop(self._supervisor)
        self._tidy()


def _start(launch: Launch) -> _Supervisor:
    ours, theirs = socket.socketpair()
    diagnosis = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the supervisor
    arguments = ("-I", "-S", "-B", "-c", LOADER, str(theirs.fileno()), launch.entry)
    try:
        process = subprocess.Popen(
            (*launch.command, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=diagnosis,
            env={},
            cwd="/",
            pass_fds=(theirs.fileno(), *launch.descriptors),
            start_new_session=True,  # a Ctrl-C in the terminal is for the caller alone
        )
    except OSError as error:
        ours.close()
        diagnosis.close()
        raise SandboxError(f"{launch.command[0]} cannot be started: {error}") from error
    finally:
        theirs.close()
        for descriptor in launch.descriptors:
            os.close(descriptor)
    ours.setblocking(False)
    return _Supervisor(process, ours, diagnosis)


async def _greet(supervisor: _Supervisor, settings: Mapping[str, Any]) -> None:
    first = sealed_modules() + encode(settings)
    await _exchange(supervisor, first, _START_SECONDS)


async def _step(supervisor: _Supervisor, backend: str, code: str, limits: Limits) -> StepResult:
    source = code.encode(errors="backslashreplace")  # a lone surrogate is no reason to fail
    request = encode({"limits": limits_to_mapping(limits)}, [source])
    header, pieces = await _exchange(supervisor, request, limits.wall_seconds + _GRACE_SECONDS)
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


async def _exchange(
    supervisor: _Supervisor, request: bytes, seconds: float
) -> tuple[dict[str, Any], list[bytes]]:
    """Sends a message and waits for the answer.

    Raises:
        SandboxError: no answer in time, or the supervisor is gone.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            await loop.sock_sendall(supervisor.connection, request)
            (length,) = LENGTH.unpack(await _receive_exactly(supervisor.connection, LENGTH.size))
            text = await _receive_exactly(supervisor.connection, length)
            header, sizes = decode_header(text)
            return header, [await _receive_exactly(supervisor.connection, size) for size in sizes]
    except TimeoutError as error:
        raise SandboxError(f"the supervisor gave no answer in {seconds:g} seconds") from error
    except (EOFError, ConnectionError) as error:
        supervisor.diagnosis.seek(0)
        words = supervisor.diagnosis.read(_MOST_DIAGNOSIS).decode(errors="replace").strip()
        raise SandboxError(f"the supervisor ended: {words or 'it left no message'}") from error


async def _receive_exactly(connection: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    received = bytearray()
    while len(received) < size:
        piece = await loop.sock_recv(connection, min(1 << 20, size - len(received)))
        if not piece:
            raise EOFError
        received += piece
    return bytes(received)


def _stop(supervisor: _Supervisor) -> None:
    """Ends a supervisor and, through it, all that it runs."""
    supervisor.connection.close()
    try:
        supervisor.process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        supervisor.process.kill()
        supervisor.process.wait()
    supervisor.diagnosis.close()
