"""The zygote that all warm sandboxes of this process come from, and its broker.

They are started when the first sandbox needs them, and replaced when they have died. They end with
this process, and some minutes after the last sandbox was closed.
"""

from __future__ import annotations

import atexit
import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

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

# What a solver's code imports; each of them as far as it is installed.
LIBRARIES = (
    "numpy",
    "pandas",
    "scipy.stats",
    "scipy.sparse",
    "scipy.signal",
    "scipy.ndimage",
    "scipy.interpolate",
    "PIL.Image",
    "joblib",
    "multiprocessing",
    "sklearn.calibration",
    "sklearn.cluster",
    "sklearn.compose",
    "sklearn.decomposition",
    "sklearn.discriminant_analysis",
    "sklearn.dummy",
    "sklearn.ensemble",
    "sklearn.feature_extraction.text",
    "sklearn.feature_selection",
    "sklearn.gaussian_process",
    "sklearn.impute",
    "sklearn.isotonic",
    "sklearn.kernel_ridge",
    "sklearn.linear_model",
    "sklearn.manifold",
    "sklearn.metrics",
    "sklearn.mixture",
    "sklearn.model_selection",
    "sklearn.multioutput",
    "sklearn.naive_bayes",
    "sklearn.neighbors",
    "sklearn.neural_network",
    "sklearn.pipeline",
    "sklearn.preprocessing",
    "sklearn.svm",
    "sklearn.tree",
)

# Huge pages make the copies cheap: a fork has far fewer page-table entries to copy.
# The C library uses them only where it can read the kernel's switch.
_HUGE_PAGES_SWITCH = "/sys/kernel/mm/transparent_hugepage"
_HUGE_PAGES = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}

_IMPORT_SECONDS = 120.0  # with a cold disk cache, on a busy machine
_BROKER_SECONDS = 10.0
_IDLE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Nursery:
    """The two processes that rollouts come from."""

    zygote: Child
    broker: Child

    def end(self) -> None:
        """Ends both, and with the zygote all rollouts that came from it."""
        self.zygote.end()
        self.broker.end()


# These belong to the keeper's thread.
_nursery: Nursery | None = None
_rollouts = 0
_retirement: threading.Timer | None = None


def conceive(public: str) -> tuple[socket.socket, Callable[[], str]]:
    """The socket of a new supervisor, which waits for its settings, and its last words, if any.

    To be called in the keeper's thread.

    Args:
        public: The folder that the rollout sees as its data, and that nobody else will see.

    Raises:
        SandboxError: the zygote does not work here, or the folder cannot be shown.
    """
    global _rollouts
    nursery = _living_nursery()
    mount = _borrow(nursery.broker, public)
    ours, theirs = socket.socketpair()
    try:
        socket.send_fds(nursery.zygote.connection, [b"."], [theirs.fileno(), mount])
    except OSError as error:
        ours.close()
        raise SandboxError(f"the zygote ended: {nursery.zygote.last_words()}") from error
    finally:
        theirs.close()
        os.close(mount)
    _rollouts += 1
    return ours, nursery.zygote.last_words


def release() -> None:
    """Tells that a supervisor is gone; to be called in the keeper's thread."""
    global _rollouts, _retirement
    _rollouts -= 1
    if _rollouts == 0:
        _cancel_retirement()
        _retirement = threading.Timer(_IDLE_SECONDS, _ask_to_retire)
        _retirement.daemon = True
        _retirement.start()


def _living_nursery() -> Nursery:
    global _nursery
    _cancel_retirement()
    if _nursery is not None and _nursery.zygote.process.poll() is not None:
        _nursery.end()
        _nursery = None
    if _nursery is None:
        _nursery = Nursery(_start_zygote(), _start_broker())
    elif _nursery.broker.process.poll() is not None:
        _nursery.broker.end()
        _nursery = Nursery(_nursery.zygote, _start_broker())
    return _nursery


def _start_broker() -> Child:
    return start_child((sys.executable,), BROKER, flags=BARE)


def _start_zygote() -> Child:
    layout = solver_layout()
    names = memory_file(passwd(SOLVER))
    environment = solver_environment(layout.python, WORK, "/tmp") | _HUGE_PAGES
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
        zygote.connection.sendall(encode({"libraries": LIBRARIES}))
        zygote.connection.settimeout(_IMPORT_SECONDS)
        receive(zygote.connection)
        zygote.connection.settimeout(None)
    except (OSError, EOFError) as error:
        words = zygote.last_words()
        zygote.end()
        raise SandboxError(f"the zygote could not be started: {words}") from error
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


def _ask_to_retire() -> None:
    with suppress(RuntimeError):  # this process is about to end, and the nursery with it
        keeper().submit(_retire)


def _retire() -> None:
    global _nursery
    if _rollouts == 0 and _nursery is not None:
        _nursery.end()
        _nursery = None


def _cancel_retirement() -> None:
    if _retirement is not None:
        _retirement.cancel()


def _end_with_process() -> None:
    if _nursery is not None:
        _nursery.end()


def _forget() -> None:
    """A forked process must not talk to the zygote of its parent."""
    global _nursery, _rollouts
    if _nursery is not None:
        _nursery.zygote.connection.close()
        _nursery.broker.connection.close()
    _nursery = None
    _rollouts = 0


atexit.register(_end_with_process)
os.register_at_fork(after_in_child=_forget)
