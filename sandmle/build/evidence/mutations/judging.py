"""What must be so of the grade of any mutated submission."""

from __future__ import annotations

import csv

from sandmle.build.evidence.mutations.mutation import Mutation
from sandmle.build.prepare import AUTHORS_FAULTS
from sandmle.grading import Grade, Grader

#: What else a broken evaluator may raise, beside what authors' words do.
CRASHES = (*AUTHORS_FAULTS, csv.Error, AssertionError, RuntimeError, OSError, MemoryError)
#: Characters of a reason, which a solver is to read.
LONGEST_REASON = 600


def graded(content: bytes, grader: Grader) -> tuple[Grade | None, str]:
    """The grade of a submission; none, and what was raised, where grading it crashes."""
    try:
        return grader.grade(content), ""
    except CRASHES as error:
        return None, f"{type(error).__name__}: {error}"


def is_taken(content: bytes, grader: Grader) -> bool:
    """Whether a submission is not refused, be it that the evaluator crashes on it."""
    grade, _ = graded(content, grader)
    return grade is None or grade.valid


def judged(mutation: Mutation, best: Grade, grader: Grader) -> tuple[Grade | None, str]:
    """The grade of a mutation, and what is wrong with it: `best` is that of what was mutated."""
    grade, crash = graded(mutation.content, grader)
    if grade is None:
        return None, crash
    if not grade.valid:
        return grade, unreasonable(mutation, grade.reason or "")
    if mutation.is_wrong:
        return grade, f"passes, and scores {grade.score}"
    if best.medal and is_better(grade, best):
        return grade, f"scores {grade.score}, better than {best.score} for the answers"
    if grade.medal and not best.medal:
        return grade, f"wins {grade.medal} with {grade.score}"
    return grade, ""


def is_better(one: Grade, other: Grade) -> bool:
    """Whether a grade has the better score of two."""
    if one.score is None or other.score is None:
        return other.score is None
    return (one.score < other.score) if one.is_lower_better else one.score > other.score


def unreasonable(mutation: Mutation, reason: str) -> str:
    """What a reason lacks: a line that can be read, which names the row and column at fault."""
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        return f"the reason is {reason[:80]!r}"
    if mutation.row is None or reason.startswith(f"line {mutation.row + 1}:"):
        return ""
    if not reason.startswith(f"row {mutation.row}:"):
        return f"the reason does not name row {mutation.row}: {reason[:80]}"
    about_row = ("not CSV", "sum to", "fields")
    if repr(mutation.column) not in reason and not any(says in reason for says in about_row):
        return f"the reason does not name {mutation.column}: {reason[:80]}"
    return ""
