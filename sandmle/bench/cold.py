"""The scripts of episodes run as one would by hand: each in a Python of its own, one by one."""

from __future__ import annotations

import contextlib
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sandmle.play.rollout import Rollout
from sandmle.play.task import Task
from sandmle.play.tools import read_code
from sandmle.sandbox.layout import solver_environment


@dataclass(frozen=True)
class Cold:
    """How many scripts ran and submissions were graded, and their seconds of wall time.

    `cpu_seconds` is the processor time of all of them.
    """

    scripts: int
    grades: int
    script_seconds: float
    grade_seconds: float
    cpu_seconds: float


def run_cold(rollouts: Sequence[Rollout], tasks: Mapping[str, Task], folder: Path) -> Cold:
    """Runs the scripts of all episodes, and grades each submission that a script leaves anew.

    Each episode has a working folder in `folder`; nothing isolates its scripts, which end when the
    time of their step is over. Submissions are graded by the task's own evaluate.py.
    """
    scripts, grades = [], []
    before = _children_seconds()
    for number, rollout in enumerate(rollouts):
        task, work = tasks[rollout.task], folder / str(number)
        work.mkdir(parents=True)
        (work / "data").symlink_to(task.public)
        submission, found = work / "submission.csv", b""
        for code in scripts_of(rollout):
            (work / "main.py").write_text(code, encoding="utf-8")
            limit = rollout.settings.step.wall_seconds
            scripts.append(_run(["main.py"], work, seconds=limit))
            left = submission.read_bytes() if submission.is_file() else found
            if left != found:
                found = left
                answers = task.folder / "prepared" / "private" / "answers.csv"
                command = (task.folder / "evaluate.py", "--submission_path", submission)
                grades.append(_run((*command, "--answers", answers), work))
    return Cold(
        scripts=len(scripts),
        grades=len(grades),
        script_seconds=sum(scripts),
        grade_seconds=sum(grades),
        cpu_seconds=_children_seconds() - before,
    )


def scripts_of(rollout: Rollout) -> Iterator[str]:
    """The scripts that a policy ran, in their order."""
    for message in rollout.messages:
        for call in message.tool_calls:
            if call.name == "python" and not call.fault:
                yield read_code(call.arguments)


def _run(arguments: Sequence[str | Path], work: Path, *, seconds: float | None = None) -> float:
    """Runs a script in a new Python; the seconds that it took, however it ended."""
    settings = solver_environment(sys.executable, str(work), str(work))
    start = time.perf_counter()
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [sys.executable, *arguments],
            cwd=work,
            env=settings,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    return time.perf_counter() - start


def _children_seconds() -> float:
    """The processor time of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
