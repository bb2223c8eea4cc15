"""Gold can be had: the private answers, submitted as they are, win it."""

from __future__ import annotations

from sandmle.build.auditing import Examined, Finding

CLAIM = "a perfect submission reaches gold"
COST = "cheap"


def examine(task: Examined) -> Finding:
    """Grades the answers themselves."""
    grade = task.grader.grade(task.grader.perfect)
    return Finding(grade.medal == "gold", f"score {grade.score}")
