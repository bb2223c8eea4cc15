"""The errors of the project, one for each boundary at which somebody else can be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One fault that an author can mend, at its place in a file.

    `line` and `column` count from 1; `where` is the dotted path of the key (`hidden.rule.score`).
    """

    file: str
    line: int
    column: int
    where: str
    message: str

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{self.file}:{self.line}:{self.column}: {place}{self.message}"


class SpecError(Exception):
    """An author's file is wrong; carries every problem found, in the order of the file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class VocabularyError(Exception):
    """A file under rules/ is not a word: it names the file and what was expected."""


class CompileError(Exception):
    """A template failed on a spec; names template, line and spec."""


class BuildError(Exception):
    """The build itself failed, whatever the specs say: a job crashed, or Snakemake did."""


class InvalidSubmission(Exception):  # noqa: N818 - the field's own name for it
    """A solver's submission cannot be graded; the message tells the solver what to mend."""


class GradingError(Exception):
    """A competition's own grader failed; never caused by what was submitted."""


class SandboxError(Exception):
    """The sandbox itself failed; never caused by what the solver's code did."""


class RolloutError(Exception):
    """A file of rollouts cannot be read; names file, line and what was expected there."""


class EndpointError(Exception):
    """A language model's endpoint gives no reply: it says where, and why."""


class BudgetSpent(Exception):  # noqa: N818 - an outcome, which is not an error of this program
    """Another call to a language model could exceed the budget."""
