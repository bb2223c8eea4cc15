"""Runs one step: starts a process, keeps its output, holds it to its limits, kills what is left."""

from __future__ import annotations

import os
import resource
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from sandmle.sandbox.inside.capping import HeadAndTail
from sandmle.sandbox.inside.wire import Connection
from sandmle.sandbox.limits import Limits

_PIPE_READ = 1 << 16
_SHORTEST_WATCH = 0.02  # seconds between two looks at what the step holds
_WATCH_SHARE = 10  # looking takes at most about a tenth of the time


@dataclass(frozen=True, slots=True)
class Overdraft:
    """Why a step must be ended: which limit it broke, and a line that tells the solver."""

    limit: Literal["time", "memory", "workspace"]
    note: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What a back end lends to a step.

    Attributes:
        start: Starts the solver's process, with the two pipes as its stdout and stderr, and returns
            its process id; closes nothing on this side. Raises OSError where it cannot.
        overdraft: Looks whether the step holds more than it may.
        kill_rest: Called when the solver's process is gone: kills all that it left behind and
            returns when no process of the step is alive.
    """

    start: Callable[[int, int], int]
    overdraft: Callable[[], Overdraft | None]
    kill_rest: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step ended; ``exit_code`` is 128 plus the signal's number where a signal ended it."""

    exit_code: int
    timed_out: bool
    out_of_memory: bool
    wall_seconds: float
    cpu_seconds: float
    stdout: bytes
    stderr: bytes


def supervise(scene: Scene, limits: Limits, caller: Connection) -> Outcome:
    """Runs a step to its end and leaves no process of it alive.

    Should the caller hang up meanwhile, everything is killed and this process exits.

    Raises:
        OSError: the step could not be started.
    """
    stdout, stdout_end = os.pipe()
    stderr, stderr_end = os.pipe()
    started = time.monotonic()
    cpu_before = _children_cpu_seconds()
    try:
        process = scene.start(stdout_end, stderr_end)
    finally:
        os.close(stdout_end)
        os.close(stderr_end)
    kept = {pipe: HeadAndTail(limits.output_bytes) for pipe in (stdout, stderr)}
    broken = _follow(scene, process, kept, caller, started, limits.wall_seconds)
    if broken:
        os.kill(process, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    ended = time.monotonic()
    scene.kill_rest()
    for pipe, stream in kept.items():
        _drain(pipe, stream)
        os.close(pipe)
    if broken:
        kept[stderr].feed(f"\n[sandbox] killed: {broken.note}\n".encode())
    return Outcome(
        exit_code=status if status >= 0 else 128 - status,
        timed_out=broken is not None and broken.limit == "time",
        out_of_memory=broken is not None and broken.limit == "memory",
        wall_seconds=ended - started,
        cpu_seconds=_children_cpu_seconds() - cpu_before,
        stdout=kept[stdout].kept(),
        stderr=kept[stderr].kept(),
    )


def _follow(
    scene: Scene,
    process: int,
    kept: dict[int, HeadAndTail],
    caller: Connection,
    started: float,
    wall_seconds: float,
) -> Overdraft | None:
    """Reads the pipes until the process ends, and then returns None, or until it must be ended."""
    death = os.pidfd_open(process)
    poller = select.poll()
    poller.register(death, select.POLLIN)
    poller.register(caller, select.POLLRDHUP)
    for pipe in kept:
        poller.register(pipe, select.POLLIN)
    deadline = started + wall_seconds
    next_look = started + _SHORTEST_WATCH
    try:
        while True:
            now = time.monotonic()
            if now >= deadline:
                return Overdraft("time", f"still running after {wall_seconds:g} seconds")
            if now >= next_look:
                found = scene.overdraft()
                if found:
                    return found
                next_look = now + max(_SHORTEST_WATCH, _WATCH_SHARE * (time.monotonic() - now))
            pause = max(0.0, min(deadline, next_look) - time.monotonic())
            ready = {file for file, _ in poller.poll(pause * 1000 + 1)}
            if caller.fileno() in ready:
                os.kill(process, signal.SIGKILL)
                scene.kill_rest()
                os._exit(0)
            for pipe in ready & kept.keys():
                piece = os.read(pipe, _PIPE_READ)
                kept[pipe].feed(piece)
                if not piece:
                    poller.unregister(pipe)
            if death in ready:
                return None
    finally:
        os.close(death)


def _drain(pipe: int, stream: HeadAndTail) -> None:
    """Takes what is left in a pipe; all writers are dead, or escaped and then not waited for."""
    os.set_blocking(pipe, False)
    while True:
        try:
            piece = os.read(pipe, _PIPE_READ)
        except BlockingIOError:
            return
        if not piece:
            return
        stream.feed(piece)


def _children_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
