from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sandmle.mlebench.prepared import find_competition, prepared_folders
from tests.mlebench.standins import (
    add_competition,
    install_package,
    prepare,
    write_config,
    write_leaderboard,
)

CACTUS = "aerial-cactus-identification"
XRAY = "vinbigdata-chest-xray-abnormalities-detection"
ANSWERS = [("id", "has_cactus"), ("a", 1), ("b", 0)]


@pytest.fixture(name="data")
def make_data(tmp_path: Path) -> Path:
    """MLE-bench's data folder: one prepared competition, one only downloaded, and a file."""
    data = tmp_path / "data"
    prepare(data, CACTUS, answers=ANSWERS, file="test.csv")
    (data / "dog-breed-identification" / "raw").mkdir(parents=True)
    (data / "notes.txt").write_text("")
    return data


def test_competitions_that_are_not_prepared_are_left_out(data: Path) -> None:
    assert [path.name for path in prepared_folders(data)] == [CACTUS]
    assert [path.name for path in prepared_folders(data, [CACTUS])] == [CACTUS]


def test_the_folder_of_one_competition_will_do(data: Path) -> None:
    assert prepared_folders(data / CACTUS) == [data / CACTUS]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("dog-breed-identification", "mlebench prepare -c dog-breed-identification --data-dir"),
        ("AI4Code", "AI4Code/prepared: missing, the competition is not prepared"),
        ("aerial-cactus", f"no competition 'aerial-cactus'; did you mean '{CACTUS}'?"),
    ],
)
def test_what_is_asked_for_must_be_prepared(data: Path, name: str, told: str) -> None:
    with pytest.raises(FileNotFoundError) as error:
        prepared_folders(data, [name])
    assert told in str(error.value)


def test_a_folder_without_competitions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such folder"):
        prepared_folders(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="no prepared competition"):
        prepared_folders(tmp_path)


def test_without_the_package_a_rule_of_ours_grades(data: Path) -> None:
    found = find_competition(data / CACTUS)
    assert (found.id, found.judge) == (CACTUS, "metric")
    assert found.answers == found.gold == data / CACTUS / "prepared" / "private" / "test.csv"
    assert found.leaderboard == data / CACTUS / "leaderboard.csv"
    assert (found.modality, found.task, found.metric) == ("image", "binary", "roc_auc")
    assert found.is_lower_better is False


def test_with_the_package_its_config_tells_grader_answers_and_leaderboard(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = install_package(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    competition = add_competition(package, CACTUS, "", answers="test.csv")
    write_leaderboard(competition, [0.9, 0.1])
    (data / CACTUS / "leaderboard.csv").unlink()
    found = find_competition(data / CACTUS)
    assert (found.judge, found.config) == ("package", competition / "config.yaml")
    assert found.leaderboard == competition / "leaderboard.csv"
    assert found.metric == "roc_auc"  # the benchmark's own words are ours where it is known


def test_a_grade_py_beside_a_competition_comes_first(data: Path) -> None:
    folder = prepare(data, "digits", answers=ANSWERS)
    (folder / "grade.py").write_text("def grade(submission, answers): ...")
    write_config(folder, "digits", answers="answers.csv", module="digits.grade")
    found = find_competition(folder)
    assert (found.judge, found.modality, found.metric) == ("own", "unknown", "accuracy")
    assert found.is_lower_better is None
    told = "modality: image\ntask: multiclass\n"
    write_config(folder, "digits", answers="answers.csv", module="digits.grade", extra=told)
    assert find_competition(folder).modality == "image"
    assert find_competition(folder).task == "multiclass"


def remove(*places: str) -> Callable[[Path], None]:
    """Removes files of a competition's folder."""

    def change(folder: Path) -> None:
        for place in places:
            (folder / place).unlink()

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (remove("prepared/private/test.csv"), "private: missing or empty, the competition is half"),
        (remove("prepared/public/description.md"), "public: missing or empty"),
        (
            lambda folder: (folder / "prepared/private/test.csv").rename(
                folder / "prepared/private/answers.csv"
            ),
            "private/test.csv: missing; expected its answers",
        ),
        (
            lambda folder: (folder / "prepared/public/description.md").rename(
                folder / "prepared/public/train.csv"
            ),
            "description.md: missing; expected its description",
        ),
        (remove("leaderboard.csv"), "leaderboard.csv: missing; medals are read from"),
    ],
)
def test_what_is_missing_is_named(data: Path, change: Callable[[Path], None], told: str) -> None:
    change(data / CACTUS)
    with pytest.raises(FileNotFoundError) as error:
        find_competition(data / CACTUS)
    assert told in str(error.value)


def test_a_metric_that_is_not_ours_needs_the_package(data: Path) -> None:
    prepare(data, XRAY, answers=[("image_id", "PredictionString"), ("a", "14 1 0 0 1 1")])
    with pytest.raises(ValueError, match=r"install the package mlebench \(git clone") as error:
        find_competition(data / XRAY)
    assert XRAY in str(error.value)


def test_a_competition_that_nobody_knows_needs_a_grader_of_its_own(data: Path) -> None:
    prepare(data, "aerial-cactus-identificatoin", answers=ANSWERS)
    with pytest.raises(ValueError, match="is not one of MLE-bench's competitions") as error:
        find_competition(data / "aerial-cactus-identificatoin")
    assert f"did you mean '{CACTUS}'" in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("grader: [", "config.yaml:1: not YAML"),
        ("- a", "dataset: expected a mapping"),
        ("dataset: {answers: x/prepared/private/a.csv}", "grader: expected a mapping"),
        ("dataset: {}\ngrader: {}", "dataset.answers: expected a text, found None"),
        (
            "dataset: {answers: x/a.csv}\ngrader: {name: m, grade_fn: 3}",
            "grader.grade_fn: expected",
        ),
    ],
)
def test_a_broken_config_is_told_by_file_and_key(data: Path, text: str, told: str) -> None:
    folder = prepare(data, "digits", answers=ANSWERS)
    (folder / "config.yaml").write_text(text)
    with pytest.raises(ValueError, match=r"config\.yaml") as error:
        find_competition(folder)
    assert told in str(error.value)


def test_a_grade_py_without_its_config_is_told(data: Path) -> None:
    folder = prepare(data, "digits", answers=ANSWERS)
    (folder / "grade.py").write_text("")
    with pytest.raises(FileNotFoundError, match=r"config\.yaml: missing beside grade\.py"):
        find_competition(folder)
