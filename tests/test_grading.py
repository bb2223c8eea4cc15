"""The compiled evaluator, called in process."""

from __future__ import annotations

import timeit
from pathlib import Path

import pytest

from sandmle.compiler.compile import compile_spec, write_compiled
from sandmle.grading import Grade, load_grader, load_script, make_grader
from sandmle.spec.load import load_spec
from sandmle.spec.model import Thresholds

EXAMPLE = Path(__file__).parent / "spec" / "example.yaml"
THRESHOLDS = Thresholds(median=0.6, bronze=0.7, silver=0.8, gold=0.9)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built task's folder, as far as grading needs it."""
    folder = tmp_path_factory.mktemp("task")
    compiled = compile_spec(load_spec(EXAMPLE), thresholds=THRESHOLDS)
    write_compiled(compiled, folder)
    dataset = load_script(compiled.generate, "generate.py")["generate"]()
    for part, files in (("public", dataset.public), ("private", dataset.private)):
        (folder / "prepared" / part).mkdir(parents=True)
        for name, content in files.items():
            (folder / "prepared" / part / name).write_bytes(content)
    return folder


def test_a_perfect_submission_wins_gold(folder: Path) -> None:
    answers = (folder / "prepared" / "private" / "answers.csv").read_bytes()

    assert load_grader(folder).grade(answers) == Grade(
        valid=True,
        score=1.0,
        medal="gold",
        above_median=True,
        reason=None,
        thresholds=THRESHOLDS,
        is_lower_better=False,
    )


def test_the_sample_submission_is_not_above_the_median(folder: Path) -> None:
    sample = (folder / "prepared" / "public" / "sample_submission.csv").read_bytes()
    grade = load_grader(folder).grade(sample)

    assert (grade.valid, grade.score, grade.medal, grade.above_median) == (True, 0.5, None, False)


@pytest.mark.parametrize(
    ("submission", "reason"),
    [
        (None, "no submission"),
        (b"", "the file is empty"),
        (b"\xff\xfe", "line 1: not UTF-8 text; save the file as UTF-8"),
        (b"id,has_damage\n", "there are no rows below the header; expected 500"),
    ],
)
def test_an_invalid_submission_has_a_reason_and_no_score(
    folder: Path, submission: bytes | None, reason: str
) -> None:
    assert load_grader(folder).grade(submission) == Grade(
        valid=False,
        score=None,
        medal=None,
        above_median=None,
        reason=reason,
        thresholds=THRESHOLDS,
        is_lower_better=False,
    )


def test_a_task_without_thresholds_is_graded_without_medals(folder: Path) -> None:
    script = compile_spec(load_spec(EXAMPLE)).evaluate
    answers = (folder / "prepared" / "private" / "answers.csv").read_bytes()
    grade = make_grader(script, answers).grade(answers)

    assert (grade.score, grade.medal, grade.above_median) == (1.0, None, None)
    assert grade.thresholds is None


def test_a_score_that_is_not_finite_is_a_bug_not_a_grade(folder: Path) -> None:
    answers = (folder / "prepared" / "private" / "answers.csv").read_bytes()
    script = (folder / "evaluate.py").read_text(encoding="utf-8")
    broken = script.replace("    return roc_auc(truth, prediction)", "    return math.nan")
    assert broken != script
    with pytest.raises(ValueError, match="nan"):
        make_grader(broken, answers).grade(answers)


def test_a_task_that_is_not_built_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"answers\.csv"):
        load_grader(tmp_path)


def test_a_thousand_rows_are_graded_in_milliseconds(folder: Path) -> None:
    rows = [f"r{index}" for index in range(1000)]
    answers = "".join(["id,has_damage\n", *(f"{name},{len(name) % 2}\n" for name in rows)])
    guesses = "".join(["id,has_damage\n", *(f"{name},0.{name[1:]}\n" for name in rows)])
    script = (folder / "evaluate.py").read_text(encoding="utf-8")
    grader = make_grader(script, answers.encode())
    assert grader.grade(guesses.encode()).valid
    # The best of many, for the machine may be busy with other things.
    seconds = min(timeit.repeat(lambda: grader.grade(guesses.encode()), number=1, repeat=30))

    assert seconds < 0.005
