"""The compiled evaluator of a task, called in process: milliseconds a grade.

Compiled scripts are trusted: they follow from a checked spec. Submissions are bytes and stay so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.runtime.table import submitted
from sandmle.spec.model import Thresholds


@dataclass(frozen=True)
class Grade:
    """What one submission is worth.

    `score` and `above_median` are None for an invalid submission, for which `reason` tells the
    solver what to mend. `medal` is gold, silver, bronze or None. `thresholds` are None where the
    task has none yet.
    """

    valid: bool
    score: float | None
    medal: str | None
    above_median: bool | None
    reason: str | None
    thresholds: Thresholds | None
    is_lower_better: bool


@dataclass(frozen=True)
class Grader:
    """Grades submissions to one task against its private answers."""

    evaluate: Callable[[bytes, bytes], Mapping[str, Any]]
    answers: bytes
    thresholds: Thresholds | None
    is_lower_better: bool

    @property
    def perfect(self) -> bytes:
        """The answers as a solver would submit them."""
        return submitted(self.answers)

    def grade(self, submission: bytes | None) -> Grade:
        """The grade of a submission's content; None, where there is none, is invalid.

        Raises ValueError where a valid submission gets no finite score: a bug of the task.
        """
        if submission is None:
            return Grade(
                False, None, None, None, "no submission", self.thresholds, self.is_lower_better
            )
        result = self.evaluate(submission, self.answers)
        score = result["score"]
        if result["valid"] and not (isinstance(score, float) and math.isfinite(score)):
            raise ValueError(f"a valid submission got the score {score!r}")
        return Grade(
            valid=result["valid"],
            score=score,
            medal=result["medal"],
            above_median=result["above_median"],
            reason=result["reason"],
            thresholds=self.thresholds,
            is_lower_better=self.is_lower_better,
        )


def load_grader(task_folder: Path) -> Grader:
    """The grader of a built task's folder: its evaluate.py and prepared/private/answers.csv.

    Raises FileNotFoundError where the task is not built.
    """
    answers = (task_folder / "prepared" / "private" / "answers.csv").read_bytes()
    return make_grader((task_folder / "evaluate.py").read_text(encoding="utf-8"), answers)


def make_grader(script: str, answers: bytes) -> Grader:
    """The grader of a compiled evaluate.py given as text, and the content of answers.csv."""
    scope = load_script(script, "evaluate.py")
    limits = scope["THRESHOLDS"]
    return Grader(
        evaluate=scope["evaluate"],
        answers=answers,
        thresholds=None if limits is None else Thresholds(**limits),
        is_lower_better=scope["IS_LOWER_BETTER"],
    )


def load_script(script: str, name: str) -> dict[str, Any]:
    """Runs a compiled script, given as text, without its command line; what it defines, by name.

    `name` stands for it in tracebacks.
    """
    # Dataclasses look up the module that they are defined in, so it must be one that is loaded.
    scope: dict[str, Any] = {"__name__": __name__}
    exec(compile(script, name, "exec"), scope)
    return scope
