"""The evaluator stands firm: whatever a submission holds, it is graded or refused with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from sandmle.build.auditing import Examined, Finding
from sandmle.build.content import content_hash
from sandmle.build.evidence.answers import number_columns, only, partial_grader, private_cells
from sandmle.build.evidence.mutations import mutations
from sandmle.build.evidence.mutations.judging import graded, is_taken, judged
from sandmle.build.evidence.uninformed import uninformed
from sandmle.grading import Grader

CLAIM = "no mutated submission crashes the evaluator, wins by it, or is refused without a reason"
COST = "deep"

#: Mutations of the answers, and of each of the submissions that know nothing.
OF_ANSWERS, OF_UNINFORMED = 240, 90
#: Submissions that know nothing, of which mutations are made.
BASES = 3
#: Rows of answers that mutations are graded on: whole samples, as many as fit.
MOST_ROWS = 400
#: Where the answers are larger, so are all submissions.
MOST_BYTES = 100_000
#: How many faults are told; then it is enough.
TOLD = 5


def examine(task: Examined) -> Finding:
    """Grades mutations of the answers and of submissions that know nothing.

    The public files are their seed, so that a task always gets the same.
    """
    seed = int(content_hash(task.prepared.dataset.public)[:16], 16)
    rng = np.random.default_rng(seed)
    tried = refused = 0
    faults: list[str] = []
    sample = task.prepared.dataset.public["sample_submission.csv"]
    numbers = number_columns(sample, task.grader.perfect)
    for grader, base, count in bases(task):
        best, crash = graded(base, grader)
        if best is None:
            return Finding(False, f"sample or answers: {crash}")
        private = private_cells(grader.answers)
        for mutation in mutations(base, rng, count, private=private, numbers=numbers):
            grade, problem = judged(mutation, best, grader)
            tried += 1
            refused += grade is not None and not grade.valid
            faults += [f"{mutation.name}: {problem}"] if problem else []
            if len(faults) > TOLD:
                return Finding(False, "; ".join([*faults[:TOLD], "..."]))
    return Finding(not faults, "; ".join(faults) or f"{tried} mutations, {refused} refused")


def bases(task: Examined) -> Iterator[tuple[Grader, bytes, int]]:
    """Graders with the submissions to change, and how many mutations to make of each."""
    part = partial_grader(task.grader, MOST_ROWS)
    yield part, part.perfect, OF_ANSWERS
    grader = task.grader if len(task.grader.answers) < MOST_BYTES else part
    known = (only(content, grader) for _, content in uninformed(task.prepared))
    # One that is refused as it is would be refused for that, whatever else is wrong.
    valid = (content for content in known if is_taken(content, grader))
    yield from ((grader, content, OF_UNINFORMED) for content in islice(valid, BASES))
