"""A description that states what is not so, or leaves out what is, is found out."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.build.auditing import run_audit
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import caught, passes, with_files
from tests.build.audits.tasks import SHAPES, broken, holds, told


def edited(prepared: Prepared, old: str, new: str) -> Prepared:
    """The task with another text in the place of one in its description."""
    path = prepared.public / "description.md"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return prepared


@pytest.mark.parametrize("shape", SHAPES)
def test_sound_descriptions(shape: str) -> None:
    holds("description", shape)


@pytest.mark.parametrize(
    ("old", "new", "evidence"),
    [
        ("100 rows", "101 rows", "train.csv has 100 rows, not 101"),
        ("500 rows", "about 700 rows", "test.csv has 500 rows, not 700"),
        ("- `test.csv`: 500 rows", "- `test.csv`: rows", "how many rows test.csv has"),
        ("- `test.csv`: ", "- `tests.csv`: ", "there is no tests.csv"),
        ("- `sample_submission.csv`: ", "- ", "nothing is said of sample_submission.csv"),
        ("- `test.csv`", "- `images/{id}.png`: one a row.\n- `test.csv`", "no images/{id}.png"),
        ("| `axle_load` |", "| `axle load` |", "the column axle_load is not named"),
        ("| `axle_load` |", "| `axle_load` | |\n| `wheels` |", "there is no column wheels"),
        ("the target `has_damage`", "the target `damaged`", "the target damaged does not stand"),
        ("Task: binary", "Task: multiclass", "`Task:` does not say binary"),
        ("Metric: roc_auc", "Metric: log_loss", "evaluate.py does not call log_loss"),
        ("Metric: roc_auc", "Metric: per_column (of = roc_auc)", "does not call per_column"),
        ("Metric: roc_auc", "It is graded by its area", "the line `Metric:` is missing"),
        ("Format: probability", "Format: label", "`Format:` does not say probability"),
        ("from 0 to 1.", "from 0 to 100.", "numbers from 0 to 100 are not what is taken"),
        ("Higher is better.", "Lower is better.", "the direction"),
        ("Higher is better.", "", "the direction"),
        ("1 for a perfect submission", "0 for a perfect submission", "said to score 0 scores 1.0"),
        ("0.5 for a constant one", "0.4 for a constant one", "said to score 0.4 scores 0.5"),
        ("`0` or `1`; `1` is the", "`0` or not; it is the", "the class 1 is not named"),
        ("id,has_damage\n", "id,damage\n", "the example of a submission is refused: column"),
        (",0.5\n", ",half\n", "the example of a submission is refused: row"),
        ("```csv", "```text", "there is no example of a submission"),
    ],
)
def test_false_statements(old: str, new: str, evidence: str, prepared: Prepared) -> None:
    assert evidence in caught("description", edited(prepared, old, new))


def test_settings_that_are_others() -> None:
    sound = broken("f1")
    path = sound.prepared.public / "description.md"
    text = path.read_text()
    try:
        path.write_text(text.replace("beta = 1.0", "beta = 2.0"))
        assert "the metric is f_beta (beta = 1.0)" in run_audit("description", sound).evidence
    finally:
        path.write_text(text)


@pytest.mark.parametrize("shape", ["log loss", "classes"])
@pytest.mark.parametrize("least", ["0.02", "1e-9"])
def test_probabilities_that_count_as_more_than_is_said(shape: str, least: str) -> None:
    call = "return log_loss(truth, prediction)"
    clipped = f"return log_loss(truth, np.clip(prediction, {least}, 1 - {least}))"
    assert "down to 1e-15 do not count" in told("description", shape, call, clipped)


def test_an_example_that_shows_a_row_of_the_test_set(prepared: Prepared) -> None:
    shown = prepared.dataset.ids[~prepared.dataset.train][0]
    text = (prepared.public / "description.md").read_text()
    first = text.partition("id,has_damage\n")[2].partition(",")[0]
    assert "a row of the test set" in caught("description", edited(prepared, first, shown))


def test_files_that_are_there_for_some_rows_or_not_spoken_of(prepared: Prepared) -> None:
    names = prepared.dataset.ids.tolist()
    files = {f"scans/{name}.png": b"" for name in names}
    assert "nothing is said of scans/" in caught("description", with_files(prepared, files))
    line = "- `test.csv`"
    said = edited(prepared, line, f"- `scans/{{id}}.png`: one file for every row.\n{line}")
    passes("description", with_files(said, files))
    del files[f"scans/{names[0]}.png"]
    assert "scans/{id}.png is not there for every row" in caught(
        "description", with_files(said, files)
    )


def test_columns_of_tables_that_samples_have_of_their_own(prepared: Prepared) -> None:
    names = prepared.dataset.ids.tolist()
    files = {f"tracks/{name}.csv": b"strain\n1\n" for name in names}
    line = "- `test.csv`"
    said = edited(prepared, line, f"- `tracks/{{id}}.csv`: one file for every row.\n{line}")
    broken_task = with_files(said, files)
    assert caught("description", broken_task) == "the column strain is not named"
    row = "| `axle_load` |"
    edited(prepared, row, f"| `strain` | |\n{row}")
    passes("description", broken_task)


def test_a_class_too_many() -> None:
    task = broken("classes")
    path = Path(task.prepared.public / "description.md")
    text = path.read_text()
    assert "one of 3 classes" in text
    try:
        path.write_text(text.replace("one of 3 classes", "one of 4 classes"))
        check = run_audit("description", task)
    finally:
        path.write_text(text)
    assert check.evidence == "there are 3 classes, not 4"


def test_no_description_at_all(prepared: Prepared) -> None:
    (prepared.public / "description.md").unlink()
    assert "nothing is said of" in caught("description", prepared)
