"""The warm back end: steps are copies of a process that has imported the libraries already."""

from __future__ import annotations

import os
import select
import signal
import socket
from contextlib import suppress
from functools import partial
from pathlib import Path

from sandmle.sandbox.bwrap import SHARED_MEMORY, bubblewrap_path, check_public, fresh_user
from sandmle.sandbox.launch import call_in_keeper, hang_up, keeper
from sandmle.sandbox.layout import DATA, TEMPORARY, WORK, solver_layout
from sandmle.sandbox.limits import Limits, limits_to_mapping
from sandmle.sandbox.nursery import conceive, release
from sandmle.sandbox.supervised import SupervisedSandbox, Supervisor, greet

NAME = "warm"

_END_MILLISECONDS = 5000


def open_warm(public: Path) -> SupervisedSandbox:
    """Opens a warm sandbox.

    Raises:
        SandboxError: bubblewrap is missing, or the data lies where every solver would see it.
    """
    bubblewrap_path()
    check_public(public, solver_layout())

    async def start(limits: Limits) -> Supervisor:
        settings = {
            "work": WORK,
            "data": DATA,
            "temporary": TEMPORARY,
            "user": fresh_user() if os.geteuid() == 0 else None,
            "contained": True,
            "limits": limits_to_mapping(limits),
            "shared_memory": SHARED_MEMORY,
        }
        connection, last_words = await call_in_keeper(
            partial(conceive, str(public)), lambda conceived: _leave(conceived[0])
        )
        born = False
        try:
            unborn = Supervisor(connection, last_words, partial(hang_up, connection))
            (handle,) = await greet(unborn, settings)
            born = True
        finally:
            if not born:
                _leave(connection)
        return Supervisor(connection, last_words, partial(_kill, handle, connection))

    return SupervisedSandbox(NAME, isolated=True, start=start)


def _kill(handle: int, connection: socket.socket) -> None:
    """Kills a supervisor, process 1 of its namespace, and waits until all in it are dead."""
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    waiter = select.poll()
    waiter.register(handle, select.POLLIN)
    waiter.poll(_END_MILLISECONDS)
    os.close(handle)
    _leave(connection)


def _leave(connection: socket.socket) -> None:
    hang_up(connection)
    with suppress(RuntimeError):  # this process is about to end
        keeper().submit(release)
