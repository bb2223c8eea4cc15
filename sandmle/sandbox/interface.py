"""What a caller of the sandbox sees: one protocol and one result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sandmle.sandbox.limits import Limits


@dataclass(frozen=True, slots=True)
class StepResult:
    """How one step ended, and what it left.

    Attributes:
        stdout: Standard output, capped: the head, a line with the number of bytes cut, the tail.
        stderr: Standard error, capped alike; a step that was killed ends with a line that says why.
        exit_code: The interpreter's exit status; 128 plus the number where a signal ended it.
        timed_out: Whether it was killed because its wall time was over.
        out_of_memory: Whether it was killed because all its processes together held too much. A
            ``MemoryError`` in one of them is the code's own affair, and shows in ``stderr``.
        wall_seconds: From the start of the interpreter to its end.
        cpu_seconds: Processor time of the interpreter and of the processes it waited for.
        submission: ``submission.csv`` as it lies in the working folder after the step.
        submission_refused: Why what lies there is not read, such as "not a regular file: a folder".
        backend: The back end that ran it.
    """

    stdout: str
    stderr: str
    exit_code: int
    timed_out: bool
    out_of_memory: bool
    wall_seconds: float
    cpu_seconds: float
    submission: bytes | None
    submission_refused: str | None
    backend: str


class Sandbox(Protocol):
    """The place where one rollout's code runs.

    The working folder persists from step to step, ``/tmp`` and all processes do not. The public
    data is at ``/data`` and at ``data/`` in the working folder; the code is ``main.py`` there. What
    plain Python does, it does here, but for a network, System V memory and queues, and anonymous
    memory that is shared between processes (``mmap.mmap(-1, n)``), which no limit would see.

    Attributes:
        backend: The back end's name.
        isolated: Whether hostile code is held.
    """

    backend: str
    isolated: bool

    async def run(self, code: str, limits: Limits) -> StepResult:
        """Runs Python code as ``main.py`` of a fresh process; steps of one sandbox take turns.

        Raises:
            SandboxError: the sandbox failed; it is then closed. Nothing that code does inside its
                limits leads here.
        """

    async def close(self) -> None:
        """Kills what is left and removes the working folder; may be called twice."""
