"""Starts processes that run this project's code elsewhere, and ends them."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import IO, TypeVar

from sandmle.errors import SandboxError
from sandmle.sandbox.bootstrap import LOADER, sealed_modules

_END_SECONDS = 5.0
_MOST_LAST_WORDS = 2000  # bytes

Made = TypeVar("Made")

# An interpreter that runs nothing but the standard library and what it is sent.
BARE = ("-I", "-S", "-B")


@dataclass(frozen=True, slots=True)
class Child:
    """A process of ours.

    Attributes:
        process: It, or the bubblewrap that it runs in.
        connection: The socket to it; the code of its modules is on the way already.
        diagnosis: What it wrote to stderr.
    """

    process: subprocess.Popen[bytes]
    connection: socket.socket
    diagnosis: IO[bytes]

    def last_words(self) -> str:
        """What it wrote to stderr, for an error message."""
        if self.diagnosis.closed:
            return "it had been given up"
        size = self.diagnosis.seek(0, os.SEEK_END)
        self.diagnosis.seek(max(0, size - _MOST_LAST_WORDS))
        words = self.diagnosis.read().decode(errors="replace").strip()
        return words or "it left no message"

    def end(self) -> None:
        """Has it end, by force if it must be, and with it all that it started."""
        hang_up(self.connection)
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.diagnosis.close()


def start_child(
    command: Sequence[str],
    entry: str,
    *,
    flags: Sequence[str] = BARE,
    inherited: Sequence[int] = (),
    environment: Mapping[str, str] | None = None,
    over_stdio: bool = False,
) -> Child:
    """Starts an interpreter on one of our modules; to be called in the keeper's thread.

    Args:
        command: The command line, up to and with the interpreter.
        entry: The module whose ``main`` is called with the socket's descriptor.
        flags: The interpreter's flags.
        inherited: Descriptors that the command inherits; closed here in any case.
        environment: The command's environment; none unless given.
        over_stdio: The command cannot inherit the socket: it is its stdin and its stdout. The
            interpreter may be of another version.

    Raises:
        SandboxError: the command cannot be started.
    """
    code = sealed_modules(entry, compiled=not over_stdio)
    ours, theirs = socket.socketpair()
    standard = theirs.fileno() if over_stdio else subprocess.DEVNULL
    diagnosis = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the child
    try:
        process = subprocess.Popen(
            (*command, *flags, "-c", LOADER, "0" if over_stdio else str(theirs.fileno()), entry),
            stdin=standard,
            stdout=standard,
            stderr=diagnosis,
            env=environment or {},
            cwd="/",
            pass_fds=(theirs.fileno(), *inherited),
            start_new_session=True,  # a Ctrl-C in the terminal is for the caller alone
        )
    except OSError as error:
        ours.close()
        diagnosis.close()
        raise SandboxError(f"{command[0]} cannot be started: {error}") from error
    finally:
        theirs.close()
        for descriptor in inherited:
            os.close(descriptor)
    child = Child(process, ours, diagnosis)
    try:
        ours.sendall(code)
    except OSError as error:
        words = child.last_words()
        child.end()
        raise SandboxError(f"{command[0]} ended at once: {words}") from error
    return child


def hang_up(connection: socket.socket) -> None:
    """Closes a socket so that the other side notices, even if a forked process still has it."""
    with suppress(OSError):  # the other side was first
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


def keeper() -> ThreadPoolExecutor:
    """The thread in which all children are started.

    The kernel kills them when the thread that started them ends, so it must outlive every event
    loop; it ends with this process.
    """
    return _keeper


async def call_in_keeper(call: Callable[[], Made], undo: Callable[[Made], None]) -> Made:
    """Awaits a call in the keeper's thread; undone there should nobody wait for it any more."""
    made = keeper().submit(call)
    try:
        return await asyncio.wrap_future(made)
    except asyncio.CancelledError:
        made.add_done_callback(partial(_undo, undo))
        raise


def _undo(undo: Callable[[Made], None], made: Future[Made]) -> None:
    if not made.cancelled() and made.exception() is None:
        undo(made.result())


def _renew_keeper() -> None:
    global _keeper
    _keeper = ThreadPoolExecutor(1, "sandmle-sandbox")


_keeper = ThreadPoolExecutor(1, "sandmle-sandbox")
os.register_at_fork(after_in_child=_renew_keeper)  # threads are not copied
