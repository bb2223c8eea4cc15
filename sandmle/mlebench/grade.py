"""Grades submissions to prepared competitions, with medals from their leaderboards."""

from __future__ import annotations

import functools
from pathlib import Path

from sandmle.errors import GradingError
from sandmle.grading import Grade
from sandmle.mlebench.outcome import Outcome
from sandmle.mlebench.prepared import Competition, find_competition
from sandmle.mlebench.process import judge_apart
from sandmle.play.task import Task
from sandmle.runtime.medals import above_median, medal

#: Seconds that grading a submission may take. Most competitions take a few; segmentation and
#: detection take minutes.
SECONDS = 900.0


def grade_competition(task: Task, submission: bytes, *, seconds: float = SECONDS) -> Grade:
    """The grade of a submission's content. Blocks while another process grades it: call it in a
    thread.

    An error that does not tell whose fault it is, and a grader that does not end within `seconds`,
    are the submission's where the grader can grade the answers themselves: MLE-bench counts such
    submissions as invalid. Raises GradingError where it can't.
    """
    competition = _competition(task.folder)
    outcome = judge_apart(competition, submission, seconds=seconds)
    if outcome is None or outcome.kind == "raised":
        reason = _reason(outcome, seconds)
        fault = _fault(task.folder, seconds)
        if fault is not None:
            raise GradingError(f"{competition.id}: {reason}; the answers get none either: {fault}")
        outcome = Outcome("invalid", reason=f"could not be graded: {reason}")
    return _grade(task, outcome)


def _grade(task: Task, outcome: Outcome) -> Grade:
    limits = task.thresholds
    if limits is None:
        raise GradingError(f"{task.id}: has no leaderboard")
    won, above = None, None
    if outcome.score is not None:
        levels = vars(limits)
        won = medal(outcome.score, levels, is_lower_better=task.is_lower_better)
        above = above_median(outcome.score, levels, is_lower_better=task.is_lower_better)
    return Grade(
        valid=outcome.kind == "graded",
        score=outcome.score,
        medal=won,
        above_median=above,
        reason=outcome.reason,
        thresholds=limits,
        is_lower_better=task.is_lower_better,
    )


@functools.lru_cache(maxsize=256)
def _competition(folder: Path) -> Competition:
    return find_competition(folder)


@functools.lru_cache(maxsize=256)
def _fault(folder: Path, seconds: float) -> str | None:
    """Why a competition's grader does not even grade its answers; None where it does."""
    competition = _competition(folder)
    outcome = judge_apart(competition, competition.gold, seconds=seconds)
    if outcome is not None and outcome.kind == "graded":
        return None
    return _reason(outcome, seconds)


def _reason(outcome: Outcome | None, seconds: float) -> str:
    if outcome is None:
        return f"its grader took longer than {seconds:g} s, or more memory than there is"
    return outcome.reason or "no reason"
