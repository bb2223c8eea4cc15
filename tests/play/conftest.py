"""One built task for all tests of play, and a sandbox that only pretends to run code."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sandmle.compiler.compile import compile_spec, write_compiled
from sandmle.play.task import Task
from sandmle.sandbox import Limits, StepResult
from sandmle.spec.load import load_spec
from sandmle.spec.model import Thresholds

EXAMPLE = Path(__file__).parent.parent / "spec" / "example.yaml"


@pytest.fixture(scope="session")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    """The example spec, compiled and generated; its metric is ROC AUC."""
    folder = tmp_path_factory.mktemp("tasks") / "example"
    thresholds = Thresholds(median=0.6, bronze=0.7, silver=0.8, gold=0.9)
    spec = load_spec(EXAMPLE)
    compiled = compile_spec(spec, thresholds=thresholds)
    write_compiled(compiled, folder)
    command = [sys.executable, "-I", folder / "generate.py", "--out", folder / "prepared"]
    subprocess.run(command, check=True)
    public = folder / "prepared" / "public"
    (public / "description.md").write_text(compiled.description)
    return Task(
        id="example",
        folder=folder,
        public=public,
        description=compiled.description,
        modality="tabular",
        task="binary",
        metric="roc_auc",
        is_lower_better=False,
        thresholds=thresholds,
        digests={"spec": spec.digest},
    )


@pytest.fixture(scope="session")
def perfect(task: Task) -> bytes:
    """A submission that wins gold."""
    return (task.folder / "prepared" / "private" / "answers.csv").read_bytes()


@pytest.fixture(scope="session")
def constant(task: Task) -> bytes:
    """A valid submission that is not above the median."""
    return (task.public / "sample_submission.csv").read_bytes()


def result(
    submission: bytes | None = None,
    *,
    stdout: str = "",
    stderr: str = "",
    exit_code: int = 0,
    timed_out: bool = False,
    out_of_memory: bool = False,
    refused: str | None = None,
) -> StepResult:
    """What a sandbox tells of a step."""
    return StepResult(
        stdout=stdout,
        stderr=stderr,
        exit_code=exit_code,
        timed_out=timed_out,
        out_of_memory=out_of_memory,
        wall_seconds=0.25,
        cpu_seconds=0.2,
        submission=submission,
        submission_refused=refused,
        backend="fake",
    )


class FakeSandbox:
    """Answers each run of code with what `run_code` makes of it."""

    backend = "fake"
    isolated = True

    def __init__(self, run_code: Callable[[str], StepResult]) -> None:
        self.run_code = run_code
        self.limits: list[Limits] = []
        self.closed = False

    async def run(self, code: str, limits: Limits) -> StepResult:
        self.limits.append(limits)
        return self.run_code(code)

    async def close(self) -> None:
        self.closed = True
