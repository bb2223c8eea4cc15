"""The build's warm processes: each has imported what a job needs, and runs every job in a copy.

They belong to this project and are trusted; no solver's code comes near them. Each serves one
module under one hash seed. It imports nothing before the first job asks, so that a build which has
nothing to do pays nothing, and ends with the process that started it, so that no build runs the
code of an earlier one. Where they don't work, as on anything but Linux, jobs run cold.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import secrets
import select
import selectors
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from sandmle.build import client
from sandmle.build.lifetime import end_with_parent

#: What is served: a module, its hash seed, and what else is imported before.
SERVED: Sequence[tuple[str, str, Sequence[str]]] = (
    ("sandmle.build.job", "0", ()),
    ("sandmle.build.examine_job", "0", ()),
    ("sandmle.build.draw", "1", ("numpy", "PIL.Image", "scipy.special", "scipy.signal")),
)

_LIFELINE = 0  # stdin: it is at its end when the process that started this one is
_MOST_BYTES = 1 << 18  # of a request: more than a socket takes in one message
_END_SECONDS = 10.0


def command(module: str, *, hash_seed: str, warm: str = "") -> list[str]:
    """The command that runs a module's main() under a hash seed; its arguments go behind it.

    `warm` is the name of the warm processes to ask. Without one, or an answer, it runs cold.
    """
    return [sys.executable, "-I", "-S", client.__file__, warm, hash_seed, module]


def new_name() -> str:
    """A name for the warm processes of one build."""
    return secrets.token_hex(8)


def start(warm: str) -> None:
    """Starts the warm processes by their name; they end when this one does, however it does."""
    if sys.platform != "linux":
        return
    for module, hash_seed, libraries in SERVED:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(client.address(warm, hash_seed, module))
            listener.listen()
            place = str(listener.fileno())
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, place, module, *libraries],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                env=client.environment(hash_seed),
                pass_fds=(listener.fileno(),),
                start_new_session=True,  # a Ctrl-C in the terminal is for Snakemake
            )
        atexit.register(_end, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a warm process and all copies of it."""
    try:
        process.communicate(timeout=_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@dataclass(frozen=True)
class Request:
    """What a client wants to be run: where, with which arguments and which stdout and stderr."""

    client: socket.socket
    folder: str
    arguments: Sequence[str]
    outputs: Sequence[int]


@dataclass(frozen=True)
class Copy:
    """A copy of this process that is at work; its `handle` can be read when it has ended."""

    client: socket.socket
    process: int
    handle: int


def serve(listener: socket.socket) -> Request | None:
    """Makes a copy of this process for each request, and kills it when its client is gone.

    Returns None at the end of the lifeline, and in a copy the request that it is to run.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(_LIFELINE, selectors.EVENT_READ)
        selector.register(listener, selectors.EVENT_READ)
        while True:
            # One event at a time: it may do away with others, and the rest comes again.
            event = selector.select()[0][0]
            if event.fd == _LIFELINE:
                for copy in {key.data for key in selector.get_map().values() if key.data}:
                    _finish(copy)
                return None
            if event.fd == listener.fileno():
                selector.register(listener.accept()[0], selectors.EVENT_READ)
            elif isinstance(event.data, Copy):
                selector.unregister(event.data.client)
                selector.unregister(event.data.handle)
                _finish(event.data)
            elif isinstance(event.fileobj, socket.socket):
                selector.unregister(event.fileobj)
                request = _receive(event.fileobj)
                copy = _start_copy(request) if request else None
                if copy:
                    selector.register(copy.client, selectors.EVENT_READ, copy)
                    selector.register(copy.handle, selectors.EVENT_READ, copy)
                elif request:
                    return request


def _receive(connection: socket.socket) -> Request | None:
    """What a client sent; None where it is gone, or somebody else's."""
    message, outputs, _, _ = socket.recv_fds(connection, _MOST_BYTES, 2)
    if not message or not client.is_ours(connection):
        connection.close()
        for descriptor in outputs:
            os.close(descriptor)
        return None
    folder, *arguments = os.fsdecode(message).split("\0")
    return Request(connection, folder, arguments, outputs)


def _start_copy(request: Request) -> Copy | None:
    """A new copy of this process; None in that copy."""
    server = os.getpid()
    process = os.fork()
    if process == 0:
        end_with_parent(server)
        return None
    os.setpgid(process, process)  # so that what it starts can be killed with it
    for descriptor in request.outputs:
        os.close(descriptor)
    return Copy(request.client, process, os.pidfd_open(process))


def _finish(copy: Copy) -> None:
    """Kills what is left of a copy, and tells the client its exit code."""
    os.killpg(copy.process, signal.SIGKILL)  # until it is waited for, the number is its own
    _, status = os.waitpid(copy.process, 0)
    os.close(copy.handle)
    code = os.waitstatus_to_exitcode(status)
    with suppress(OSError), copy.client:  # it may be gone
        copy.client.send(bytes([code if code >= 0 else 128 - code]))


def run(request: Request, module: str, *, warm: bool) -> NoReturn:
    """Runs a module's main() as `python -m` would, in a copy of this process, and ends it.

    Cold where the process had threads, which its copies lack: they might wait for them for ever.
    """
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in enumerate((nothing, *request.outputs)):
        os.dup2(source, target)
    os.chdir(request.folder)
    if not warm:
        os.execv(sys.executable, [sys.executable, "-P", "-m", module, *request.arguments])
    sys.argv = [module, *request.arguments]
    code = 1
    try:
        sys.modules[module].main()
        code = 0
    except SystemExit as ending:
        if not isinstance(ending.code, str):
            code = ending.code or 0
        else:
            print(ending.code, file=sys.stderr)
    except BaseException:  # nothing may get out of here into the code of the server
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os._exit(code & 0xFF)


def main() -> None:
    """The process itself, as `start` starts it."""
    place, module, *libraries = sys.argv[1:]
    listener = socket.socket(fileno=int(place))
    ready, _, _ = select.select([_LIFELINE, listener.fileno()], [], [])
    if _LIFELINE in ready:
        return
    for name in (*libraries, module):
        importlib.import_module(name)
    threads = len(os.listdir("/proc/self/task"))
    gc.collect()
    gc.freeze()  # what the copies share need not be looked at, and so copied, by each of them
    request = serve(listener)
    if request is not None:
        run(request, module, warm=threads == 1)


if __name__ == "__main__":
    main()
