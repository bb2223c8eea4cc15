"""Grading in a process of its own: away from the event loop, within a time, thrown away after.

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
from pathlib import Path
from typing import Any

from sandmle.mlebench.outcome import Outcome
from sandmle.mlebench.prepared import Competition

#: As many submissions are graded at a time as there are processors: each may take much memory.
_PLACES = threading.BoundedSemaphore(os.cpu_count() or 1)


def judge_apart(
    competition: Competition, submission: bytes | Path, *, seconds: float
) -> Outcome | None:
    """The outcome of a submission, given by its content or as a file.

    None where that took longer than `seconds`, or the process died, as for want of memory. Blocks:
    call it in a thread.
    """
    return _apart(_judge, competition, submission, seconds=seconds)


def look_apart(competition: Competition, *, seconds: float) -> Outcome | None:
    """Whether a competition's grader can be had, see `judging.look_at`; None as for a judge."""
    return _apart(_look, competition, seconds=seconds)


def _apart(work: Callable[..., Outcome], *arguments: Any, seconds: float) -> Outcome | None:
    receiving, sending = _server().Pipe(duplex=False)
    process = _server().Process(target=_run, args=(sending, work, arguments), daemon=True)
    with _PLACES, receiving:
        process.start()
        sending.close()
        try:
            told = receiving.recv_bytes() if receiving.poll(seconds) else None
        except EOFError:  # it died before it told anything
            told = None
        finally:
            process.kill()
            process.join()
            process.close()
    return None if told is None else Outcome(**json.loads(told))


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


def _judge(competition: Competition, submission: bytes | Path) -> Outcome:
    from sandmle.mlebench.judging import judge  # what it imports is for the fork server alone

    content = submission if isinstance(submission, bytes) else submission.read_bytes()
    return judge(competition, content)


def _look(competition: Competition) -> Outcome:
    from sandmle.mlebench.judging import look_at

    return look_at(competition)


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
