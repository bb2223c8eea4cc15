"""The zygotes that all warm sandboxes of this process come from, one for each set of libraries.

They and their brokers are started when the first sandbox needs them, and replaced when they have
died. They end with this process, and some minutes after the last sandbox was closed.
"""

from __future__ import annotations

import atexit
import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from sandmle.errors import SandboxError
from sandmle.sandbox.bootstrap import BROKER, ZYGOTE
from sandmle.sandbox.bwrap import (
    LEAVING_ROOT,
    SOLVER,
    bubblewrap_path,
    memory_file,
    namespaces,
    passwd,
    shared_mounts,
)
from sandmle.sandbox.inside.wire import encode, receive, receive_with_descriptors
from sandmle.sandbox.launch import BARE, Child, keeper, start_child
from sandmle.sandbox.layout import DATA, WORK, solver_environment, solver_layout
from sandmle.sandbox.supervised import EndedError

# Huge pages make the copies cheap: a fork has far fewer page-table entries to copy.
# The C library uses them only where it can read the kernel's switch.
_HUGE_PAGES_SWITCH = "/sys/kernel/mm/transparent_hugepage"
HUGE_PAGES = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}

_IMPORT_SECONDS = 120.0  # with a cold disk cache, on a busy machine
_BROKER_SECONDS = 10.0
_IDLE_SECONDS = 300.0


@dataclass(slots=True)
class Nursery:
    """Where the rollouts of one set of libraries come from; it belongs to the keeper's thread.

    Attributes:
        modules: What its zygote imports.
        zygote: The process that rollouts are copies of; None before the first.
        broker: The process that lends it folders.
        bereaved: What earlier zygotes left when they died: rollouts that go on without them.
        rollouts: How many there are.
        retirement: Ends both processes when they have been idle for long.
    """

    modules: tuple[str, ...]
    zygote: Child | None = None
    broker: Child | None = None
    bereaved: list[Child] = field(default_factory=list)
    rollouts: int = 0
    retirement: threading.Timer | None = None

    def end(self) -> None:
        """Ends all processes, and with them all rollouts that came from here."""
        for orphanage in self.bereaved:
            orphanage.process.kill()  # nobody in it would notice that the caller hangs up
        for child in (self.zygote, self.broker, *self.bereaved):
            if child is not None:
                child.end()
        self.zygote = self.broker = None
        self.bereaved = []


_nurseries: dict[tuple[str, ...], Nursery] = {}


def conceive(nursery: Nursery, public: str) -> tuple[socket.socket, Callable[[], str]]:
    """The socket of a new supervisor, which waits for its settings, and its last words, if any.

    To be called in the keeper's thread.

    Args:
        nursery: Where it is to come from.
        public: The folder that the rollout sees as its data, and that nobody else will see.

    Raises:
        SandboxError: the zygote does not work here, or the folder cannot be shown.
    """
    _cancel_retirement(nursery)
    zygote = _living_zygote(nursery)
    mount = _borrow(_living_broker(nursery), public)
    ours, theirs = socket.socketpair()
    try:
        socket.send_fds(zygote.connection, [b"."], [theirs.fileno(), mount])
    except OSError as error:
        ours.close()
        raise EndedError(f"the zygote ended: {zygote.last_words()}") from error
    finally:
        theirs.close()
        os.close(mount)
    nursery.rollouts += 1
    return ours, zygote.last_words


def release(nursery: Nursery) -> None:
    """Tells that a supervisor is gone; to be called in the keeper's thread."""
    nursery.rollouts -= 1
    if nursery.rollouts == 0:
        _cancel_retirement(nursery)
        nursery.retirement = threading.Timer(_IDLE_SECONDS, _ask_to_retire, (nursery,))
        nursery.retirement.daemon = True
        nursery.retirement.start()


def nursery_of(modules: tuple[str, ...]) -> Nursery:
    """The nursery whose zygote imports these modules."""
    return _nurseries.setdefault(modules, Nursery(modules))


def _living_zygote(nursery: Nursery) -> Child:
    zygote = nursery.zygote
    if zygote is not None and _has_hung_up(zygote.connection):
        nursery.zygote = None
        nursery.bereaved.append(zygote)
    for gone in [child for child in nursery.bereaved if child.process.poll() is not None]:
        nursery.bereaved.remove(gone)
        gone.end()
    if nursery.zygote is None:
        nursery.zygote = _start_zygote(nursery.modules)
    return nursery.zygote


def _living_broker(nursery: Nursery) -> Child:
    if nursery.broker is not None and nursery.broker.process.poll() is not None:
        nursery.broker.end()
        nursery.broker = None
    if nursery.broker is None:
        nursery.broker = _start_broker()
    return nursery.broker


def _has_hung_up(connection: socket.socket) -> bool:
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def _start_broker() -> Child:
    return start_child((sys.executable,), BROKER, flags=BARE)


def _start_zygote(modules: tuple[str, ...]) -> Child:
    layout = solver_layout()
    names = memory_file(passwd(SOLVER))
    environment = solver_environment(layout.python, WORK, "/tmp") | HUGE_PAGES
    rights = (*LEAVING_ROOT, "CAP_SYS_ADMIN", "CAP_NET_ADMIN")  # to build each rollout's view
    command = (
        bubblewrap_path(),
        *namespaces(rights),
        *shared_mounts(layout, names),
        *("--dir", WORK, "--dir", DATA, "--dir", "/tmp"),
        *("--ro-bind-try", _HUGE_PAGES_SWITCH, _HUGE_PAGES_SWITCH, "--remount-ro", "/"),
        *(word for pair in environment.items() for word in ("--setenv", *pair)),
        *("--", layout.python),
    )
    zygote = start_child(command, ZYGOTE, flags=(), inherited=(names,))
    try:
        zygote.connection.sendall(encode({"modules": modules}))
        zygote.connection.settimeout(_IMPORT_SECONDS)
        header, _ = receive(zygote.connection)
        zygote.connection.settimeout(None)
    except (OSError, EOFError) as error:
        words = zygote.last_words()
        zygote.end()
        raise SandboxError(f"the zygote could not be started: {words}") from error
    if "failed" in header:
        zygote.end()
        raise SandboxError(f"the libraries cannot be kept ready: {header['failed']}")
    return zygote


def _borrow(broker: Child, public: str) -> int:
    """A folder as a mount.

    Raises:
        SandboxError: the broker cannot lend it.
    """
    try:
        broker.connection.settimeout(_BROKER_SECONDS)
        broker.connection.sendall(encode({"folder": public}))
        header, _, mounts = receive_with_descriptors(broker.connection)
    except (OSError, EOFError) as error:
        raise SandboxError(f"the broker ended: {broker.last_words()}") from error
    if "failed" in header:
        raise SandboxError(f"{public} cannot be shown to a solver: {header['failed']}")
    return mounts[0]


def _ask_to_retire(nursery: Nursery) -> None:
    with suppress(RuntimeError):  # this process is about to end, and the nursery with it
        keeper().submit(_retire, nursery)


def _retire(nursery: Nursery) -> None:
    if nursery.rollouts == 0:
        nursery.end()


def _cancel_retirement(nursery: Nursery) -> None:
    if nursery.retirement is not None:
        nursery.retirement.cancel()


def _end_with_process() -> None:
    for nursery in _nurseries.values():
        nursery.end()


def _forget() -> None:
    """A forked process must not talk to the zygotes of its parent."""
    for nursery in _nurseries.values():
        for child in (nursery.zygote, nursery.broker, *nursery.bereaved):
            if child is not None:
                child.connection.close()
    _nurseries.clear()


atexit.register(_end_with_process)
os.register_at_fork(after_in_child=_forget)
