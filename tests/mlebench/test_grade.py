"""Submissions graded in processes of their own; few, for each process costs."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sandmle.errors import GradingError
from sandmle.grading import Grade
from sandmle.mlebench.grade import Competitions
from sandmle.mlebench.load import load_competitions
from sandmle.play.task import Task
from sandmle.spec.model import Thresholds
from tests.mlebench.standins import prepare, table, write_config

ANSWERS = [("id", "label"), ("a", 1), ("b", 0), ("c", 1), ("d", 0)]

#: Grades the share of right rows; its submissions make it do more.
GRADE = """
import os
import time


def grade(submission, answers):
    if "sleep" in submission.columns:
        time.sleep(60)
    if "die" in submission.columns:
        os._exit(3)
    if "print" in submission.columns:
        print("score: 1.0, medal: gold")
    if os.path.exists(__file__ + ".broken"):
        raise RuntimeError("nothing works")
    return float((submission["label"].astype(int) == answers["label"]).mean())
"""

LEVELS = Thresholds(median=0.5, bronze=0.6, silver=0.75, gold=0.9)


@pytest.fixture(name="task")
def make_task(tmp_path: Path) -> Task:
    """A competition with a grade.py of its own, and 10 teams on its leaderboard."""
    scores = (0.9, 0.75, 0.7, 0.6, 0.5, 0.5, 0.4, 0.3, 0.2, 0.1)
    folder = prepare(tmp_path, "shares", answers=ANSWERS, leaderboard=scores)
    (folder / "grade.py").write_text(GRADE)
    write_config(folder, "shares", answers="answers.csv", module="shares.grade")
    (task,) = load_competitions(tmp_path)
    return task


def test_scores_win_the_leaderboards_medals(task: Task) -> None:
    assert task.thresholds == LEVELS
    assert task.is_lower_better is False
    perfect = Competitions().grade(
        task, table([(*ANSWERS[0], "print"), *((*row, 1) for row in ANSWERS[1:])])
    )
    assert perfect == Grade(True, 1.0, "gold", True, None, LEVELS, False)
    good = Competitions().grade(task, table([*ANSWERS[:4], ("d", 1)]))
    assert good == Grade(True, 0.75, "silver", True, None, LEVELS, False)


def test_an_error_over_a_submission_is_its_fault_where_the_answers_can_be_graded(
    task: Task,
) -> None:
    found = Competitions().grade(task, b"id,label\na,cat\n")
    assert not found.valid
    assert found.score is found.medal is found.above_median is None
    assert (found.reason or "").startswith("could not be graded: ValueError: ")
    assert "cat" in (found.reason or "")


def test_a_submission_that_takes_too_long_or_kills_its_grader_is_invalid(task: Task) -> None:
    competitions = Competitions(seconds=8)
    for column in ("sleep", "die"):
        found = competitions.grade(task, f"id,label,{column}\na,1,1\n".encode())
        assert not found.valid
        assert "took longer than 8 s" in (found.reason or "")


def test_a_grader_that_cannot_grade_the_answers_is_no_fault_of_the_submission(task: Task) -> None:
    (task.folder / "grade.py.broken").write_text("")
    with pytest.raises(GradingError, match="nothing works; the answers get none either"):
        Competitions().grade(task, table(ANSWERS))


def test_leaving_the_run_ends_what_is_being_graded(task: Task) -> None:
    with Competitions() as competitions, ThreadPoolExecutor() as threads:
        content = b"id,label,sleep\na,1,1\n"
        grading = [threads.submit(competitions.grade, task, content) for _ in range(9)]
        time.sleep(2)
        started = time.monotonic()
        competitions.close()
        for grade in grading:
            with pytest.raises(GradingError, match="the run is over"):
                grade.result()
    assert time.monotonic() - started < 30
    with pytest.raises(GradingError, match="the run is over"):
        competitions.grade(task, table(ANSWERS))
