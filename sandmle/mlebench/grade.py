"""Grades submissions to prepared competitions, with medals from their leaderboards."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from sandmle.errors import GradingError
from sandmle.grading import Grade
from sandmle.mlebench.outcome import Outcome
from sandmle.mlebench.prepared import Competition, find_competition
from sandmle.mlebench.process import Processes
from sandmle.play.task import Task
from sandmle.runtime.medals import above_median, medal

#: Seconds that grading a submission may take. Most competitions take a few; segmentation and
#: detection take minutes.
SECONDS = 900.0


class Competitions:
    """Grades submissions to competitions, each within `seconds` in a process of its own.

    Leaving the block ends what is being graded.
    """

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._processes = Processes()
        self._found: dict[Path, Competition] = {}
        self._faults: dict[Path, str | None] = {}

    def grade(self, task: Task, submission: bytes) -> Grade:
        """The grade of a submission's content. Blocks: call it in a thread.

        An error that does not tell whose fault it is, and a grader that does not end in time, are
        the submission's where the grader can grade the answers themselves: MLE-bench counts such
        submissions as invalid. Raises GradingError where it can't.
        """
        outcome = self._judge(task, submission)
        if outcome is None or outcome.kind == "raised":
            reason = self._reason(outcome)
            fault = self._fault(task)
            if fault is not None:
                raise GradingError(f"{task.id}: {reason}; the answers get none either: {fault}")
            outcome = Outcome("invalid", reason=f"could not be graded: {reason}")
        return _grade(task, outcome)

    def close(self) -> None:
        """Ends what is being graded."""
        self._processes.close()

    def _judge(self, task: Task, submission: bytes | None) -> Outcome | None:
        """The outcome of a submission; of the answers where there is none."""
        if task.folder not in self._found:
            self._found[task.folder] = find_competition(task.folder)
        competition = self._found[task.folder]
        content = competition.gold if submission is None else submission
        return self._processes.outcome(_judge, competition, content, seconds=self._seconds)

    def _fault(self, task: Task) -> str | None:
        """Why a competition's grader does not even grade its answers; None where it does."""
        if task.folder not in self._faults:
            outcome = self._judge(task, None)
            sound = outcome is not None and outcome.kind == "graded"
            self._faults[task.folder] = None if sound else self._reason(outcome)
        return self._faults[task.folder]

    def _reason(self, outcome: Outcome | None) -> str:
        if outcome is None:
            return f"its grader took longer than {self._seconds:g} s, or more memory than there is"
        return outcome.reason or "no reason"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _judge(competition: Competition, submission: bytes | Path) -> Outcome:
    """Judges a submission's content, or a file's, in a process of its own."""
    from sandmle.mlebench.judging import judge  # what it imports is for that process alone

    content = submission if isinstance(submission, bytes) else submission.read_bytes()
    return judge(competition, content)


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
