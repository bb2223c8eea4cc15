"""A medal takes a look at the data: what knows nothing of them stays below the median."""

from __future__ import annotations

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.mutations.judging import graded
from sandmle.build.evidence.uninformed import uninformed

CLAIM = "uninformed submissions stay below the median"
COST = "cheap"

#: Bytes of submissions that are tried; of pictures, whose are large, the first few must do.
MOST_BYTES = 6_000_000


def examine(task: Examined) -> Finding:
    """Submits the sample submission, constants, random labels and shuffled answers.

    One that can't be graded wins nothing either.
    """
    above, tried, size = [], [], 0
    for name, content in uninformed(task.prepared):
        grade, crash = graded(content, task.grader)
        tried.append(name)
        size += len(content)
        if grade is None:
            above.append(f"{name}: {crash}")
        elif grade.above_median:
            above.append(f"{name}: {grade.score}")
        if size > MOST_BYTES:
            break
    return Finding(not above, ", ".join(above or tried))
