"""Work in processes of their own: away from the event loop, within a time, thrown away after.

A fork server that has imported pandas once bears a process for every submission, in milliseconds.
What comes back is JSON, a line of plain data.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import multiprocessing
import os
import resource
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sandmle.errors import GradingError
from sandmle.mlebench.outcome import Outcome

#: As many submissions are graded at a time as there are processors: each may take much memory.
_PLACES = threading.BoundedSemaphore(os.cpu_count() or 1)


class Processes:
    """The processes of one run: leaving the block ends those that are still at work.

    Their work blocks, and is called in threads; once closed, it raises GradingError.
    """

    def __init__(self) -> None:
        self._running: set[BaseProcess] = set()
        self._changing = threading.Lock()
        self._closed = False

    def outcome(
        self, work: Callable[..., Outcome], *arguments: Any, seconds: float
    ) -> Outcome | None:
        """What comes of `work(*arguments)` in another process.

        None where that took longer than `seconds`, or the process died, as for want of memory.
        `work` is a function of a module, for its name is all that the process gets.
        """
        receiving, sending = _server().Pipe(duplex=False)
        process = _server().Process(target=_run, args=(sending, work, arguments), daemon=True)
        with _PLACES, receiving:
            self._begin(process)
            sending.close()
            try:
                told = receiving.recv_bytes() if receiving.poll(seconds) else None
            except EOFError:  # it died before it told anything
                told = None
            finally:
                self._end(process)
        if self._closed:
            raise GradingError("the run is over")
        return None if told is None else Outcome(**json.loads(told))

    def close(self) -> None:
        """Ends all processes; may be called twice."""
        with self._changing:
            self._closed = True
            for process in self._running:
                process.kill()

    def _begin(self, process: BaseProcess) -> None:
        with self._changing:
            if self._closed:
                raise GradingError("the run is over")
            process.start()
            self._running.add(process)

    def _end(self, process: BaseProcess) -> None:
        with self._changing:
            self._running.discard(process)
            process.kill()
        process.join()
        process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


@functools.cache
def _server() -> Any:
    """The fork server, started with the first process."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sandmle.mlebench.judging", "sklearn.metrics"])
    return context


def _run(sending: Connection, work: Callable[..., Outcome], arguments: Sequence[Any]) -> None:
    """The process: tells the outcome and ends."""
    _confine()
    sending.send_bytes(json.dumps(dataclasses.asdict(work(*arguments))).encode())


def _confine() -> None:
    """Lets nothing be printed, and no submission take the machine's memory from others."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # Where memory is short all the same, this goes first.
    with contextlib.suppress(OSError):  # no such thing here
        Path("/proc/self/oom_score_adj").write_text("1000")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
