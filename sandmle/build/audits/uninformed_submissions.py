"""A medal takes a look at the data: what knows nothing of them stays below the median."""

from __future__ import annotations

import io

import pandas as pd

from sandmle.build.auditing import Examined, Finding
from sandmle.build.ladder import csv_content
from sandmle.solvers.outputs import candidates

CLAIM = "uninformed submissions stay below the median"
COST = "cheap"


def examine(task: Examined) -> Finding:
    """Submits the sample submission, constants, random labels and shuffled answers."""
    answers = pd.read_csv(io.BytesIO(task.grader.perfect), dtype=str, keep_default_na=False)
    shuffled = answers.sample(frac=1.0, random_state=0).reset_index(drop=True)
    shuffled.iloc[:, 0] = answers.iloc[:, 0]
    offered = [*candidates(task.prepared.competition, "dummy"), ("shuffled answers", shuffled)]
    above = {}
    for name, table in offered:
        grade = task.grader.grade(csv_content(table))
        if grade.above_median:
            above[name] = f"{name}: {grade.score}"
    return Finding(
        not above, ", ".join(above.values() or dict.fromkeys(name for name, _ in offered))
    )
