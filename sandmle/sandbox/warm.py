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
from sandmle.sandbox.nursery import Nursery, conceive, nursery_of, release
from sandmle.sandbox.supervised import EndedError, SupervisedSandbox, Supervisor, greet

NAME = "warm"

_END_MILLISECONDS = 5000


def open_warm(public: Path, modules: tuple[str, ...]) -> SupervisedSandbox:
    """Opens a warm sandbox, in whose steps the modules are imported already.

    Raises:
        SandboxError: bubblewrap is missing, or the data lies where every solver would see it.
    """
    bubblewrap_path()
    check_public(public, solver_layout())

    async def start(limits: Limits) -> Supervisor:
        try:
            return await _bear(public, modules, limits)
        except EndedError:  # the zygote died just now: nothing has begun yet, so try another
            return await _bear(public, modules, limits)

    return SupervisedSandbox(NAME, isolated=True, start=start)


async def _bear(public: Path, modules: tuple[str, ...], limits: Limits) -> Supervisor:
    """A new supervisor, whose folders have the sizes of the limits."""
    settings = {
        "work": WORK,
        "data": DATA,
        "temporary": TEMPORARY,
        "user": fresh_user() if os.geteuid() == 0 else None,
        "contained": True,
        "limits": limits_to_mapping(limits),
        "shared_memory": SHARED_MEMORY,
    }
    nursery = nursery_of(modules)
    connection, last_words = await call_in_keeper(
        partial(conceive, nursery, str(public)), lambda conceived: _leave(nursery, conceived[0])
    )
    born = False
    try:
        unborn = Supervisor(connection, last_words, partial(hang_up, connection))
        (handle,) = await greet(unborn, settings)
        born = True
    finally:
        if not born:
            _leave(nursery, connection)
    return Supervisor(connection, last_words, partial(_kill, nursery, handle, connection))


def _kill(nursery: Nursery, handle: int, connection: socket.socket) -> None:
    """Kills a supervisor, process 1 of its namespace, and waits until all in it are dead."""
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    waiter = select.poll()
    waiter.register(handle, select.POLLIN)
    waiter.poll(_END_MILLISECONDS)
    os.close(handle)
    _leave(nursery, connection)


def _leave(nursery: Nursery, connection: socket.socket) -> None:
    hang_up(connection)
    with suppress(RuntimeError):  # this process is about to end
        keeper().submit(release, nursery)
