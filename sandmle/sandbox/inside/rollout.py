"""The supervisor of one rollout: serves its steps until the caller is done."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import NoReturn

from sandmle.sandbox.inside import confine, watch
from sandmle.sandbox.inside.submission import read_submission
from sandmle.sandbox.inside.supervisor import Overdraft, Scene, supervise
from sandmle.sandbox.inside.tidy import empty_folder, reopen_folder
from sandmle.sandbox.inside.wire import Connection, encode, receive
from sandmle.sandbox.limits import Limits, limits_from_mapping

FAILURE = 3  # where a new process says why it could not start; closed when it has
_MOST_SOCKETS = 1024  # each may hold a few hundred kilobytes in the kernel


@dataclass(frozen=True, slots=True)
class Settings:
    """What the caller tells a supervisor when it starts.

    Attributes:
        work: The rollout's folder, which persists from step to step.
        data: The public data, as the solver sees it.
        temporary: Folders that are emptied after each step.
        user: The user to become, where the supervisor starts as root.
        contained: Whether this is process 1 of its own process namespace, with the work and
            temporary folders as file systems of their own, and a network namespace.
    """

    work: str
    data: str
    temporary: list[str]
    user: int | None
    contained: bool


@dataclass(frozen=True, slots=True)
class Interpreter:
    """How a back end makes an interpreter of a new process.

    Attributes:
        become: Called in the new process with the program's path; raises OSError where it cannot,
            and never returns.
        prepare: Called in the supervisor before each step.
    """

    become: Callable[[str], NoReturn]
    prepare: Callable[[], None] = lambda: None


def serve(
    caller: Connection,
    settings: Settings,
    interpreter: Interpreter,
    descriptors: Sequence[int] = (),
) -> None:
    """Greets the caller and serves steps until it hangs up; ``confine_self`` comes first.

    Args:
        caller: Where the requests come from; it is trusted.
        settings: What the caller told first.
        interpreter: How the back end runs a program.
        descriptors: What the greeting hands to the caller.
    """
    greeting = encode({"ready": True})
    if isinstance(caller, socket.socket):
        socket.send_fds(caller, [greeting], list(descriptors))
    else:
        caller.sendall(greeting)
    while True:
        try:
            header, (code,) = receive(caller)
        except EOFError:
            return
        limits = limits_from_mapping(header["limits"])
        try:
            answer = _step(settings, code, limits, interpreter, caller)
        except OSError as error:
            answer = encode({"failed": str(error)})
        caller.sendall(answer)


def confine_self(settings: Settings) -> None:
    """Gives up all rights: the supervisor needs no more than the solver, who must not reach it.

    Raises:
        OSError: it is not where the settings say, or the kernel refused something.
    """
    if settings.contained:
        if os.getpid() != 1:  # it will kill all that it can see
            raise OSError("the supervisor is not process 1 of a namespace")
        confine.prefer_as_memory_victim()
        confine.bar_capabilities()
    if settings.user is not None:
        confine.become_user(settings.user)
    confine.set_readable(False)
    # Process 1 is not touched by a signal from inside that it has no handler for; Python has one.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if settings.contained:
        confine.drop_capabilities()
        confine.filter_system_calls()
    else:
        confine.adopt_orphans()
    os.chdir(settings.work)


def _step(
    settings: Settings, code: bytes, limits: Limits, interpreter: Interpreter, caller: Connection
) -> bytes:
    program = _write_program(settings, code)
    before = _workspace_usage(settings)
    interpreter.prepare()
    scene = Scene(
        start=partial(_fork, settings, program, limits, interpreter),
        overdraft=partial(_overdraft, settings, limits, before),
        kill_rest=_kill_namespace if settings.contained else _kill_descendants,
    )
    outcome = supervise(scene, limits, caller)
    for folder in (settings.work, *settings.temporary):
        reopen_folder(folder)
    submission, refused = read_submission(settings.work, limits.submission_bytes)
    for folder in settings.temporary:
        empty_folder(folder)
    header = asdict(replace(outcome, stdout=b"", stderr=b""))
    del header["stdout"], header["stderr"]
    pieces = [outcome.stdout, outcome.stderr]
    if submission is not None:
        pieces.append(submission)
    return encode({**header, "submission_refused": refused}, pieces)


def _write_program(settings: Settings, code: bytes) -> str:
    """Puts the step's code into the working folder, where a traceback will name it.

    If the solver has filled that up, it must still be able to clean up: then into ``/tmp``.
    """
    link = os.path.join(settings.work, "data")
    try:
        if not os.path.lexists(link):
            os.symlink(settings.data, link)
        return _write_anew(settings.work, code)
    except OSError:
        return _write_anew(settings.temporary[0], code)


def _write_anew(folder: str, code: bytes) -> str:
    """Writes ``main.py`` in a folder, whatever an earlier step left there."""
    path = os.path.join(folder, "main.py")
    if os.path.isdir(path) and not os.path.islink(path):
        os.rename(path, f"{path}.{os.urandom(4).hex()}")
    elif os.path.lexists(path):
        os.unlink(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as file:
        file.write(code)
    return path


def _fork(
    settings: Settings,
    program: str,
    limits: Limits,
    interpreter: Interpreter,
    stdout: int,
    stderr: int,
) -> int:
    failure, failure_end = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            _become_step(limits, settings.contained, stdout, stderr, failure_end)
            interpreter.become(program)
        except BaseException as error:  # nothing may get out of here into the supervisor's code
            os.write(FAILURE, str(error).encode())
        finally:
            os._exit(1)
    os.close(failure_end)
    with open(failure, "rb") as file:
        message = file.read()  # ends when the solver's code is about to start
    if message:
        os.waitpid(process, 0)
        raise OSError(message.decode())
    return process


def _become_step(limits: Limits, contained: bool, stdout: int, stderr: int, failure: int) -> None:
    """Turns a new process into one that holds nothing of the supervisor and is bound to limits."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in enumerate((nothing, stdout, stderr)):
        os.dup2(source, target)
    os.dup2(failure, FAILURE, inheritable=False)
    confine.close_descriptors_from(FAILURE + 1)
    os.setsid()
    confine.die_with_parent()
    confine.limit_resources(limits, count_processes=contained)


def _workspace_usage(settings: Settings) -> tuple[int, int]:
    if settings.contained:
        return watch.file_system_usage(settings.work)
    return watch.folder_usage(settings.work)


def _overdraft(settings: Settings, limits: Limits, before: tuple[int, int]) -> Overdraft | None:
    processes = watch.descendants(os.getpid())
    held = watch.held_bytes(processes, limits.memory_bytes)
    if settings.contained:
        for folder in settings.temporary:
            size, files = watch.file_system_usage(folder)
            held += size
            if files > limits.workspace_files:
                return Overdraft(
                    "workspace", f"more than {limits.workspace_files} files in {folder}"
                )
        if watch.open_sockets() > _MOST_SOCKETS:
            return Overdraft("memory", f"more than {_MOST_SOCKETS} sockets")
    elif len(processes) > limits.processes:
        return Overdraft("memory", f"more than {limits.processes} processes")
    if held > limits.memory_bytes:
        return Overdraft("memory", f"more than {limits.memory_bytes} bytes of memory in use")
    size, files = _workspace_usage(settings)
    # A folder that was full before may be cleaned up.
    if size > max(limits.workspace_bytes, before[0]):
        return Overdraft(
            "workspace", f"more than {limits.workspace_bytes} bytes in {settings.work}"
        )
    if files > max(limits.workspace_files, before[1]):
        return Overdraft(
            "workspace", f"more than {limits.workspace_files} files in {settings.work}"
        )
    return None


def _kill_namespace() -> None:
    """Kills every process but this one, which is process 1 of its namespace."""
    while True:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _kill_descendants() -> None:
    """Kills what is below this process; only processes that cooperate stay below it."""
    while living := watch.descendants(os.getpid()):
        for process in living:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
