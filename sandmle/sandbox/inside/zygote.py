"""A process that has imported the libraries, and is copied for each rollout.

Four processes share the work. Process 1 of the sandbox only outlives the zygote. The zygote imports
libraries and forks; it reads no request, no data and no answer, for all its memory is in every
copy. The rollout's supervisor is a copy in namespaces of its own: it reads requests and holds the
limits. A step is a copy of the supervisor that has given up all rights; it runs the solver's code.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterable
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
    zygote = os.fork()
    if zygote != 0:
        os.close(connection)
        _outlive(zygote)
    caller = socket.socket(fileno=connection)
    header, _ = receive(caller)
    try:
        _import(header["modules"])
    except (ImportError, RuntimeError) as error:
        caller.sendall(encode({"failed": str(error)}))
        os._exit(0)  # a thread must not hold this process up
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


def _outlive(zygote: int) -> NoReturn:
    """Keeps the rollouts of a zygote that dies alive: they would go down with process 1."""
    while True:
        try:
            process, status = os.wait()
        except ChildProcessError:
            os._exit(1)  # the last rollout has ended, too
        if process == zygote and status == 0:
            os._exit(0)  # the caller wants it so


def _import(modules: Iterable[str]) -> None:
    """Imports what every copy will have.

    Raises:
        ImportError: there is no such module.
        RuntimeError: one started a thread, which no copy would have.
    """
    # Nothing can be written here yet: modules that ask for the folder of temporary files are told
    # that of the copies, which is not looked for.
    tempfile.tempdir = os.environ.get("TMPDIR")
    for name in modules:
        importlib.import_module(name)
        threads = len(os.listdir("/proc/self/task")) - 1
        if threads:
            raise RuntimeError(
                f"importing {name} starts {threads} thread{'s' * (threads != 1)}, for which a copy "
                "of the process would wait for ever: leave it out, and steps import it themselves"
            )
    if "joblib" in sys.modules:
        # Its worker processes would each import everything anew.
        backends = importlib.import_module("joblib.parallel").BACKENDS
        for name in ("loky", "multiprocessing"):
            backends[name] = backends["threading"]


def _settle() -> None:
    """Makes this process fit to be copied."""
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
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()
    if "multiprocessing" in sys.modules:
        sys.modules["multiprocessing.process"].current_process().authkey = os.urandom(32)


def _run(program: str) -> NoReturn:
    os.close(FAILURE)  # the step has started
    confine.set_readable(True)
    run_as_main(program)
