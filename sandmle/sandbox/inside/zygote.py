"""A process that has imported the libraries, and is copied for each rollout.

Three processes take turns. The zygote imports libraries and forks; it reads no request, no data and
no answer, for all its memory is in every copy. The rollout's supervisor is a copy in namespaces of
its own: it reads requests and holds the limits. A step is a copy of the supervisor that has given
up all rights; it runs the solver's code.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any, NoReturn

from sandmle.sandbox.inside import confine
from sandmle.sandbox.inside.namespaces import build_view, enter_namespaces
from sandmle.sandbox.inside.program import run_as_main
from sandmle.sandbox.inside.rollout import FAILURE, Interpreter, Settings, confine_self, serve
from sandmle.sandbox.inside.wire import encode, receive
from sandmle.sandbox.limits import limits_from_mapping

_OWN = "sandmle"
_ONLY_FOR_THE_ZYGOTE = ("PYTHONMALLOC", "GLIBC_TUNABLES")


def main(connection: int) -> None:
    """Forks a supervisor for each pair of descriptors that the caller sends, until it hangs up."""
    caller = socket.socket(fileno=connection)
    header, _ = receive(caller)
    _import(header["libraries"])
    _settle()
    caller.sendall(encode({"ready": True}))
    while True:
        message, descriptors, _, _ = socket.recv_fds(caller, 1, 2)
        if not message:
            return
        rollout, data = descriptors
        if os.fork() == 0:
            _become_supervisor(caller, rollout, data)
        os.close(rollout)
        os.close(data)


def _import(libraries: Iterable[str]) -> None:
    for name in libraries:
        if find_spec(name.partition(".")[0]):
            importlib.import_module(name)
    if "joblib" in sys.modules:
        # Its worker processes would each import everything anew.
        backends = importlib.import_module("joblib.parallel").BACKENDS
        for name in ("loky", "multiprocessing"):
            backends[name] = backends["threading"]


def _settle() -> None:
    """Makes this process fit to be copied.

    Raises:
        RuntimeError: a library started a thread, which no copy would have.
    """
    threads = os.listdir("/proc/self/task")
    if len(threads) != 1:
        raise RuntimeError(f"{len(threads)} threads after the imports: a copy would hang")
    for name in _ONLY_FOR_THE_ZYGOTE:
        os.environ.pop(name, None)
    sys.path[:] = [folder for folder in sys.path if folder]
    for name in [name for name in sys.modules if name.partition(".")[0] == _OWN]:
        del sys.modules[name]  # everything of ours is imported by now
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no copy is waited for
    gc.collect()
    gc.freeze()  # a collection in a copy would touch, and so duplicate, every page


def _become_supervisor(zygote_caller: socket.socket, rollout: int, data: int) -> NoReturn:
    """Serves a rollout as process 1 of its own namespace, and ends."""
    caller = socket.socket(fileno=rollout)
    try:
        zygote_caller.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        header, _ = receive(caller)
        limits = limits_from_mapping(header.pop("limits"))
        shared_memory = header.pop("shared_memory")
        settings = Settings(**header)
        _move_to(settings.work)
        enter_namespaces()
        if os.fork() == 0:
            user = os.geteuid() if settings.user is None else settings.user
            build_view(data, settings.work, settings.data, shared_memory, limits, user)
            os.close(data)
            confine_self(settings)
            serve(
                caller,
                settings,
                Interpreter(_run, prepare=_draw_anew),
                [os.pidfd_open(os.getpid())],
            )
    except EOFError:
        pass  # the caller has changed its mind
    except BaseException as error:  # nothing may get out of here into the zygote's code
        caller.sendall(encode({"failed": repr(error)}))
    finally:
        os._exit(0)


def _move_to(work: str) -> None:
    """Tells multiprocessing, which has noted the zygote's folder, where a program starts."""
    if "multiprocessing" in sys.modules:
        multiprocessing: Any = sys.modules["multiprocessing.process"]
        multiprocessing.ORIGINAL_DIR = work


def _draw_anew() -> None:
    """Gives the next step its own random numbers, though all steps are copies.

    Here, not in the step: memory that a step has not touched need not be copied for it. (The module
    ``random`` sees to itself in every fork.)
    """
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "multiprocessing" in sys.modules:
        sys.modules["multiprocessing.process"].current_process().authkey = os.urandom(32)


def _run(program: str) -> NoReturn:
    os.close(FAILURE)  # the step has started
    confine.set_readable(True)
    run_as_main(program)
