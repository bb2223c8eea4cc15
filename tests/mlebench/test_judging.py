from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandmle.mlebench.judging import judge, look_at
from sandmle.mlebench.outcome import Outcome
from sandmle.mlebench.prepared import Competition, find_competition
from tests.mlebench.standins import (
    add_competition,
    install_package,
    prepare,
    table,
    write_config,
    write_leaderboard,
)

#: The real package reads tables so; pandas 3 warns.
pytestmark = pytest.mark.filterwarnings("ignore:The 'float_precision' argument")

CACTUS = "aerial-cactus-identification"
ANSWERS = [("id", "has_cactus"), ("a", 1), ("b", 0), ("c", 1)]

#: As the real ones are written: it checks some things itself and leaves others to pandas.
GRADE = """
from mlebench.grade_helpers import InvalidSubmissionError

from .helper import TARGET


def grade(submission, answers):
    if TARGET not in submission.columns:
        raise InvalidSubmissionError(f"Submission should have a {TARGET} column")
    answers["merged"] = submission[TARGET].astype(float)
    return ((answers["merged"] - answers[TARGET]) ** 2).mean() / 3
"""


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Leaves no stand-in package behind in this process."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("mlebench", "sandmle_competition"):
            del sys.modules[name]


@pytest.fixture(name="packaged")
def make_packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Competition:
    """A competition that the package grades."""
    package = install_package(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    folder = add_competition(package, CACTUS, GRADE, answers="test.csv")
    (folder / "helper.py").write_text('TARGET = "has_cactus"\n')
    write_leaderboard(folder, [0.9, 0.1])
    return find_competition(prepare(tmp_path / "data", CACTUS, answers=ANSWERS, file="test.csv"))


def test_the_package_grades_by_its_own_function(packaged: Competition) -> None:
    assert look_at(packaged) == Outcome("graded")
    guess = table([("id", "has_cactus"), ("a", 1), ("b", 0.5), ("c", 1)])
    assert judge(packaged, guess) == Outcome("graded", score=round(0.25 / 9, 5))


@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        (
            b"id,other\na,1\n",
            Outcome("invalid", reason="Submission should have a has_cactus column"),
        ),
        (b"", Outcome("invalid", reason="Submission should have a has_cactus column")),
        (
            b"id,has_cactus\na,cat\n",
            Outcome("raised", reason="ValueError: could not convert string to float: 'cat'"),
        ),
        (b"id,has_cactus\na,inf\nb,1\nc,1\n", Outcome("invalid", reason="the metric gave inf")),
        (b"id,has_cactus\na\xff", None),
        (b"," * 50_000, None),
    ],
)
def test_what_the_function_raises_is_told(
    packaged: Competition, content: bytes, outcome: Outcome | None
) -> None:
    found = judge(packaged, content)
    if outcome is None:
        assert found.kind != "graded"
        assert found.reason
    else:
        assert found == outcome


def test_a_grader_that_cannot_be_imported_is_told(packaged: Competition) -> None:
    assert packaged.config is not None
    (packaged.config.parent / "grade.py").write_text("import Levenshtein_of_nowhere\n")
    found = look_at(packaged)
    reason = "ModuleNotFoundError: No module named 'Levenshtein_of_nowhere'"
    assert found == Outcome("raised", reason=reason)


def own(tmp_path: Path, grade: str, *, file: str = "answers.csv") -> Competition:
    """A competition with a grade.py of its own."""
    folder = prepare(tmp_path / "data", "digits", answers=ANSWERS, file=file)
    (folder / "grade.py").write_text(grade)
    write_config(folder, "digits", answers=file, module="mlebench.competitions.digits.grade")
    return find_competition(folder)


def test_a_grade_py_beside_the_competition_grades_it(tmp_path: Path) -> None:
    competition = own(
        tmp_path,
        "from .limits import LEAST\n"
        "class InvalidSubmissionError(Exception): ...\n"
        "def grade(submission, answers):\n"
        "    if len(submission) < LEAST:\n"
        "        raise InvalidSubmissionError('too few rows')\n"
        "    return (submission['has_cactus'] == answers['has_cactus']).mean()\n",
    )
    (competition.folder / "limits.py").write_text("LEAST = 3\n")
    assert look_at(competition) == Outcome("graded")
    assert judge(competition, table(ANSWERS)) == Outcome("graded", score=1.0)
    assert judge(competition, table(ANSWERS[:2])) == Outcome("invalid", reason="too few rows")


def test_answers_may_be_json_lines(tmp_path: Path) -> None:
    competition = own(
        tmp_path,
        "def grade(submission, answers):\n    return len(answers) + answers[1]['n']['a']\n",
        file="answers.jsonl",
    )
    competition.answers.write_text('{"n": {"a": 1}}\n{"n": {"a": 40}}\n')
    assert judge(competition, table(ANSWERS)) == Outcome("graded", score=42.0)


@pytest.mark.parametrize("returned", ["None", "'0.9'", "True", "[0.5]"])
def test_a_grade_that_is_no_number_is_the_graders_fault(tmp_path: Path, returned: str) -> None:
    competition = own(tmp_path, f"def grade(submission, answers): return {returned}\n")
    found = judge(competition, table(ANSWERS))
    assert found.kind == "raised"
    assert "expected a number" in (found.reason or "")


def test_answers_that_a_rule_cannot_read_are_told_before_anything_is_played(tmp_path: Path) -> None:
    answers = [("id", "cactus"), ("a", 1)]
    folder = prepare(tmp_path, CACTUS, answers=answers, file="test.csv")
    found = look_at(find_competition(folder))
    assert found.kind == "raised"
    assert "column 'has_cactus' is missing" in (found.reason or "")
