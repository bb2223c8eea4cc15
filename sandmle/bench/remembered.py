"""What models, sandboxes and graders said once, to be said again in no time.

What a part of a training takes is seen by how much shorter it is without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sandmle.grading import Grade
from sandmle.play.play import GradeTask, OpenSandbox
from sandmle.play.task import Task
from sandmle.sandbox import Limits, Sandbox, StepResult
from sandmle.train.generation import Generator, Request, Sampled


@dataclass(frozen=True)
class Listening:
    """Samples by another generator, and keeps what it says by the seed of each request."""

    generator: Generator
    said: dict[int, Sampled]

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        """See `Generator`."""
        sampled = self.generator.sample(requests)
        pairs = zip(requests, sampled, strict=True)
        self.said.update((request.seed, found) for request, found in pairs)
        return sampled


@dataclass(frozen=True)
class Repeating:
    """Says what was said to each request before. Raises KeyError for one that is new."""

    said: dict[int, Sampled]

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        """See `Generator`."""
        return [self.said[request.seed] for request in requests]


@dataclass(frozen=True)
class Memory:
    """What scripts led to, by public folder and all scripts of an episode so far, and grades."""

    results: dict[tuple[Path, tuple[str, ...]], StepResult] = field(default_factory=dict)
    grades: dict[tuple[str, bytes], Grade] = field(default_factory=dict)

    def watching(self, opening: OpenSandbox) -> OpenSandbox:
        """Opens sandboxes whose results are kept here."""

        async def open_watched(public: Path) -> Sandbox:
            return _Remembering(self, public, await opening(public))

        return open_watched

    async def open(self, public: Path) -> Sandbox:
        """Opens a sandbox that runs nothing, and tells what is kept here."""
        return _Remembering(self, public, None)

    def watching_grades(self, grade: GradeTask) -> GradeTask:
        """Grades, and keeps the grades here."""

        def grade_watched(task: Task, submission: bytes) -> Grade:
            self.grades[task.id, submission] = found = grade(task, submission)
            return found

        return grade_watched

    def grade(self, task: Task, submission: bytes) -> Grade:
        """The grade that is kept here."""
        return self.grades[task.id, submission]


class _Remembering:
    """Implements `Sandbox` over another one, or over what is known of its scripts already."""

    backend = "remembered"
    isolated = True

    def __init__(self, memory: Memory, public: Path, sandbox: Sandbox | None) -> None:
        self._memory, self._public, self._sandbox = memory, public, sandbox
        self._scripts: tuple[str, ...] = ()

    async def run(self, code: str, limits: Limits) -> StepResult:
        """Runs one step, or tells what it led to; see `Sandbox`."""
        self._scripts = (*self._scripts, code)
        key = (self._public, self._scripts)
        if self._sandbox is not None:
            self._memory.results[key] = await self._sandbox.run(code, limits)
        return self._memory.results[key]

    async def close(self) -> None:
        """Closes what is open."""
        if self._sandbox is not None:
            await self._sandbox.close()
