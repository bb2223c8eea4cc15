"""The compiled evaluate.py: one JSON object, three exit codes, medals as MLE-bench decides them."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sandmle.compiler.compile import compile_spec
from sandmle.grading import load_script
from sandmle.runtime.table import submitted
from sandmle.spec.model import WordUse
from tests.compiler.conftest import THRESHOLDS, Task

KEYS = [
    "score",
    "is_lower_better",
    "gold_threshold",
    "silver_threshold",
    "bronze_threshold",
    "median_threshold",
    "medal",
    "above_median",
    "valid",
    "reason",
]


@pytest.fixture(scope="module")
def script(tasks: Mapping[str, Task]) -> str:
    """An evaluate.py whose metric is accuracy."""
    spec = tasks["plot-yield"].spec
    accuracy = WordUse("accuracy", {}, ("dna", "metric"))
    spec = dataclasses.replace(spec, dna=dataclasses.replace(spec.dna, metric=accuracy))
    return compile_spec(spec, thresholds=THRESHOLDS).evaluate


@pytest.fixture
def folder(tasks: Mapping[str, Task], script: str, tmp_path: Path) -> Path:
    """A folder with that evaluate.py, the answers and a sample submission."""
    task = tasks["plot-yield"]
    (tmp_path / "evaluate.py").write_text(script, encoding="utf-8")
    (tmp_path / "answers.csv").write_bytes(task.dataset.private["answers.csv"])
    (tmp_path / "sample.csv").write_bytes(task.dataset.public["sample_submission.csv"])
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[int, Any, str]:
    """Exit code, parsed output and standard error of the command."""
    done = subprocess.run(
        [sys.executable, "-I", folder / "evaluate.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def grade(folder: Path, submission: str) -> tuple[int, Any, str]:
    return run(folder, "--submission_path", submission, "--answers", "answers.csv")


def test_a_graded_submission_exits_with_0(folder: Path) -> None:
    code, result, errors = grade(folder, "answers.csv")

    assert (code, errors) == (0, "")
    assert list(result) == KEYS
    assert result == {
        "score": 1.0,
        "is_lower_better": False,
        "gold_threshold": 0.8,
        "silver_threshold": 0.7,
        "bronze_threshold": 0.6,
        "median_threshold": 0.5,
        "medal": "gold",
        "above_median": True,
        "valid": True,
        "reason": None,
    }


def test_an_invalid_submission_exits_with_2_and_a_reason(folder: Path) -> None:
    (folder / "bad.csv").write_text("id,harvest\nnobody,yes\n")
    code, result, errors = grade(folder, "bad.csv")

    assert (code, errors) == (2, "")
    assert list(result) == KEYS
    assert result["reason"] == "row 1: id 'nobody' is not in the test set"
    assert (result["valid"], result["score"], result["medal"]) == (False, None, None)
    assert result["above_median"] is None
    assert result["gold_threshold"] == 0.8


@pytest.mark.parametrize("kind", ["missing", "folder", "link", "pipe"])
def test_what_is_no_file_is_invalid(folder: Path, kind: str) -> None:
    path = folder / "odd.csv"
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(folder / "answers.csv")
    elif kind == "pipe":
        os.mkfifo(path)
    code, result, _ = grade(folder, "odd.csv")

    assert code == 2
    assert result["reason"] == "there is no file 'odd.csv'"


def test_a_metric_loads_no_more_than_it_needs(folder: Path) -> None:
    code = "import runpy, sys; runpy.run_path(sys.argv[1]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, folder / "evaluate.py"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert not {"sklearn", "scipy", "pandas", "sandmle"} & set(done.stdout.split())


def test_missing_answers_are_a_bug(folder: Path) -> None:
    code, result, errors = run(
        folder, "--submission_path", "sample.csv", "--answers", "nowhere.csv"
    )

    assert (code, result) == (1, None)
    assert "FileNotFoundError" in errors


def test_a_wrong_command_line_is_no_invalid_submission(folder: Path) -> None:
    code, result, errors = run(folder, "--submission_path", "sample.csv")

    assert (code, result) == (1, None)
    assert "required: --answers" in errors


def evaluate(script: str, score: float, *, lower: bool = False) -> dict[str, Any]:
    """The grade of a submission that gets `score`."""
    scope = load_script(script, "evaluate.py")
    scope["accuracy"] = lambda truth, prediction: score
    if lower:
        scope["IS_LOWER_BETTER"] = True
        scope["THRESHOLDS"] = {"median": 0.8, "bronze": 0.7, "silver": 0.6, "gold": 0.5}
    answers = b"id,harvest\na,yes\n"
    result: dict[str, Any] = scope["evaluate"](answers, answers)
    return result


@pytest.mark.parametrize(
    ("score", "medal", "above"),
    [
        (0.4, None, False),
        (0.5, None, False),
        (0.50001, None, True),
        (0.59999, None, True),
        (0.599996, "bronze", True),
        (0.6, "bronze", True),
        (0.7, "silver", True),
        (0.799994, "silver", True),
        (0.8, "gold", True),
        (1.0, "gold", True),
    ],
)
def test_medals_are_inclusive_and_the_median_is_not(
    script: str, score: float, medal: str | None, above: bool
) -> None:
    result = evaluate(script, score)

    assert (result["medal"], result["above_median"]) == (medal, above)
    assert result["score"] == round(score, 5)


@pytest.mark.parametrize(
    ("score", "medal", "above"),
    [
        (0.9, None, False),
        (0.8, None, False),
        (0.7, "bronze", True),
        (0.55, "silver", True),
        (0.5, "gold", True),
    ],
)
def test_lower_is_better_turns_it_round(
    script: str, score: float, medal: str | None, above: bool
) -> None:
    result = evaluate(script, score, lower=True)

    assert (result["medal"], result["above_median"]) == (medal, above)


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_score_that_is_not_finite_is_a_bug(script: str, score: float) -> None:
    with pytest.raises(ValueError, match="the metric gave"):
        evaluate(script, score)


def test_numbers_that_overflow_in_a_metric_are_not_told_to_whoever_grades(script: str) -> None:
    scope = load_script(script, "evaluate.py")
    table = (None, np.zeros(1))
    scope |= {"read_answers": lambda answers: table, "read_submission": lambda *_: np.ones(1)}
    scope["read_factors"] = lambda *_: {}
    scope["score_of"] = lambda *_: float(1 / np.exp(np.full(1, 1e9))[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert scope["evaluate"](b"", b"")["score"] == 0.0


def test_zero_has_no_sign(script: str) -> None:
    assert json.dumps(evaluate(script, -1e-9)["score"]) == "0.0"


def test_a_perfect_submission_is_best_and_the_sample_is_valid(task: Task) -> None:
    evaluate = load_script(task.compiled.evaluate, "evaluate.py")["evaluate"]
    answers = task.dataset.private["answers.csv"]
    perfect = evaluate(submitted(answers), answers)
    sample = evaluate(task.dataset.public["sample_submission.csv"], answers)

    assert sample["valid"]
    assert sample["medal"] is None
    assert perfect["score"] == (0.0 if perfect["is_lower_better"] else 1.0)
    assert (sample["score"] > perfect["score"]) == perfect["is_lower_better"]
