"""One submission judged by whoever grades its competition: the work of a grading process.

Grade functions are trusted code, the submission is not: it is read as MLE-bench reads it, and what
a grade function raises over it is told, never raised here.
"""

from __future__ import annotations

import asyncio
import importlib
import io
import math
import sys
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from sandmle.mlebench.cells import check_width
from sandmle.mlebench.outcome import Outcome
from sandmle.mlebench.prepared import Competition
from sandmle.mlebench.scoring import graded_columns, read_answers, score
from sandmle.play.attempt import attempt

#: Errors by which a grade function says that the submission is at fault: MLE-bench's and ours.
#: By name, for a grade.py of one's own need not import either.
_INVALID = ("InvalidSubmissionError", "InvalidSubmission")

#: Characters of a reason that are kept.
_REASON = 500

#: Where the grade.py beside a competition is imported as a package, for its relative imports.
_OWN = "sandmle_competition"


def judge(competition: Competition, submission: bytes) -> Outcome:
    """The outcome of a submission's content."""
    tried = asyncio.run(attempt(asyncio.to_thread(_score, competition, submission)))
    if tried.error is None:
        found = float(tried.value or 0.0)
        if math.isfinite(found):
            return Outcome("graded", score=found + 0.0)
        return Outcome("invalid", reason=f"the metric gave {found}")
    names = {kind.__name__ for kind in type(tried.error).__mro__}
    if names.isdisjoint(_INVALID):
        return Outcome("raised", reason=_line(tried.fault))
    return Outcome("invalid", reason=_line(str(tried.error)))


def look_at(competition: Competition) -> Outcome:
    """Whether the grader can be had and the answers are as it wants them, without grading.

    `graded`, or `raised` with the reason.
    """
    tried = asyncio.run(attempt(asyncio.to_thread(_prepare, competition)))
    return (
        Outcome("graded") if tried.error is None else Outcome("raised", reason=_line(tried.fault))
    )


def _score(competition: Competition, submission: bytes) -> float:
    if competition.rule is not None and competition.judge == "metric":
        return score(competition.rule, submission, competition.answers)
    check_width(submission)
    grade, read = _grade_function(competition), _read_csv
    answers: Any
    if competition.judge == "package":
        utilities = importlib.import_module("mlebench.utils")
        read, answers = utilities.read_csv, utilities.load_answers(competition.answers)
    else:
        answers = _read_answers(competition.answers)
    found = grade(read(io.BytesIO(submission)), answers)
    if isinstance(found, bool) or not hasattr(found, "__float__"):
        raise TypeError(f"the grade function returned {found!r:.80}; expected a number")
    return float(round(float(found), 5))


def _prepare(competition: Competition) -> bool:
    """Fetches all that judging needs; raises what is wrong with it."""
    if competition.rule is not None and competition.judge == "metric":
        graded_columns(
            competition.rule, read_answers(competition.rule, competition.answers, rows=5)
        )
    else:
        _grade_function(competition)
    return True


def _grade_function(competition: Competition) -> Callable[[pd.DataFrame, Any], float]:
    """The function `grade(submission, answers)` that config.yaml names.

    The package's own Grader imports it, just as mlebench.registry does; a grade.py beside the
    competition is imported from there.
    """
    found: Callable[[pd.DataFrame, Any], float]
    if competition.config is None:
        raise ValueError(f"{competition.folder}: there is no config.yaml that names a grader")
    grader: Mapping[str, str] = yaml.safe_load(competition.config.read_text("utf-8"))["grader"]
    if competition.judge == "package":
        helpers = importlib.import_module("mlebench.grade_helpers")
        found = helpers.Grader.from_dict(dict(grader)).grade_fn
        return found
    module, _, function = grader["grade_fn"].partition(":")
    package = types.ModuleType(_OWN)
    package.__path__ = [str(competition.folder)]
    sys.modules[_OWN] = package
    found = getattr(importlib.import_module(f"{_OWN}.{module.rpartition('.')[2]}"), function)
    return found


def _read_csv(source: io.BytesIO | Path) -> pd.DataFrame:
    """A table as mlebench.utils.read_csv reads it: an empty file has no rows and no columns."""
    try:
        return pd.read_csv(source)
    except pd.errors.EmptyDataError:
        return pd.DataFrame()


def _read_answers(path: Path) -> Any:
    """Answers as mlebench.utils.load_answers reads them: a table, or a list of JSON objects."""
    if path.suffix == ".jsonl":
        return pd.read_json(path, lines=True).to_dict("records")
    return _read_csv(path)


def _line(text: str) -> str:
    """A reason on one line, and short."""
    return " ".join(text.split())[:_REASON]
