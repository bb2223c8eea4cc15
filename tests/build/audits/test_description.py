"""A description that states what is not so, or leaves out what is, is found out."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path

import pytest
from PIL import Image

from sandmle.build.auditing import run_audit
from sandmle.build.prepare import Prepared
from sandmle.spec.model import WordUse
from tests.build.audits.planting import caught, content, passes, table, with_files
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
        (",0.5\n", "_1,0.5\n", "the example's keys end in _1"),
        ("```csv", "```text", "there is no example of a submission"),
        ("| `axle_load` |  |", "| `axle_load` | 1 where heavy |", "axle_load holds"),
        (
            "| `axle_load` |  |",
            "| `axle_load` | a load |\n| `column0` | a load |",
            "axle_load and column0 mean the same",
        ),
        ("| `axle_load` |  |", "| `axle_load` | load, 0 to 1 |", "but is 0 to 1"),
        ("| `axle_load` |  |", "| `axle_load` | share of load, % |", "but is a share in percent"),
        ("| `axle_load` |  |", "| `axle_load` | number of axles |", "but is a whole number"),
        ("| `axle_load` |  |", "| `axle_load` |  | `loads.csv` |", "loads.csv has no column"),
        ("without the target.", "without the target: no `column0` is in both.", None),
        ("without the target.", "without: no `axle` is in both.", "no column axle to tell it"),
        (
            "without the target.",
            "without the target; they are later than those of `train.csv`, by `column0`.",
            "column0 does not tell test.csv from train.csv",
        ),
        ("Which road segments", "Of 100 road segments, which", None),
        ("Which road segments", "Which the road segments", None),
        ("Which road segments", "Which which road segments", "a word twice: 'Which which'"),
        ("Which road segments", "Which of the a road segments", "articles: 'the a'"),
        ("Which road segments", "Which a other road segments", "an article: 'a other'"),
        ("Which road segments", "Which an road segments", "an article: 'an road'"),
        ("Which road segments", "Which {{ many }}", "stray signs"),
        ("Which road segments", "By sign_product, which segments", "sign_product tells how"),
        ("Which road segments", "Under a label_flip, which ones", "label_flip tells how"),
        ("Which road segments", "Despite label noise, which ones", "noise is spoken of"),
    ],
)
def test_false_statements(old: str, new: str, evidence: str | None, prepared: Prepared) -> None:
    told = edited(prepared, old, new)
    if evidence is None:
        passes("description", told)
    else:
        assert evidence in caught("description", told)


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
    assert caught("description", broken_task) == "the file of the column strain is not said"
    edited(prepared, "| `strain` | |", "| `strain` | | `tracks/{id}.csv` |")
    passes("description", broken_task)


def test_rows_in_the_story_where_groups_gave_others(prepared: Prepared) -> None:
    dna = dataclasses.replace(prepared.spec.dna, train=102)
    told = dataclasses.replace(prepared, spec=dataclasses.replace(prepared.spec, dna=dna))
    told = edited(told, "Which road", "Of 102 of them it is known. Which road")
    assert "the story says 102 without `about`, and train.csv has 100" in caught(
        "description", told
    )
    passes("description", edited(told, "Of 102", "Of some 102"))


@pytest.mark.parametrize(("scale", "is_on_globe"), [(10.0, True), (1000.0, False)])
def test_places_in_degrees(scale: float, is_on_globe: bool, prepared: Prepared) -> None:
    rows = table(prepared, "train.csv").rename(columns={"axle_load": "latitude"})
    tests = table(prepared, "test.csv").rename(columns={"axle_load": "latitude"})
    rows["latitude"] = scale * rows["latitude"] / rows["latitude"].abs().max()
    told = edited(prepared, "| `axle_load` |", "| `latitude` |")
    told = edited(told, "Which road", "Places are in degrees. Which road")
    task = with_files(told, {"train.csv": content(rows), "test.csv": content(tests)})
    if is_on_globe:
        passes("description", task)
    else:
        assert "latitude reaches 1000 degrees" in caught("description", task)


def test_differences_from_a_mean_that_all_lie_on_one_side() -> None:
    sound = broken("numbers")
    target = sound.prepared.spec.targets[0].name
    rows = table(sound.prepared, "train.csv")
    rows[target] = rows[target].abs() + 1
    files = with_files(sound.prepared, {"train.csv": content(rows)})
    positive = dataclasses.replace(sound, prepared=files)
    path = sound.prepared.public / "description.md"
    text = path.read_text()
    try:
        path.write_text(text.replace("Which road", "How far it lies from its region's mean. Which"))
        assert run_audit("description", sound).passed
        assert "all lie on one side" in run_audit("description", positive).evidence
    finally:
        path.write_text(text)


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


def test_values_that_noise_spoils_are_let_pass(prepared: Prepared) -> None:
    told = edited(prepared, "| `axle_load` |  |", "| `axle_load` | load, -1.7 to 9 |")
    assert "axle_load holds" in caught("description", told)
    noise = WordUse("outliers", {"rate": 0.05}, ("noise", 1))
    spec = dataclasses.replace(told.spec, noise=(*told.spec.noise, noise))
    passes("description", dataclasses.replace(told, spec=spec))


@pytest.mark.parametrize(
    ("mode", "says", "evidence"),
    [
        ("L", "a small grey picture", None),
        ("RGB", "a small picture in colour", None),
        ("RGB", "a small grey picture", "said to be grey have colours"),
        ("L", "a small picture in colour", "said to be in colour are grey"),
    ],
)
def test_colours(mode: str, says: str, evidence: str | None, prepared: Prepared) -> None:
    picture = io.BytesIO()
    Image.new(mode, (4, 4)).save(picture, "PNG")
    names = prepared.dataset.ids.tolist()
    line = "- `test.csv`"
    told = edited(prepared, line, f"- `scans/{{id}}.png`: one file for every row.\n{line}")
    told = edited(told, "Which road", f"For each there is {says}. Which road")
    task = with_files(told, {f"scans/{name}.png": picture.getvalue() for name in names})
    if evidence is None:
        passes("description", task)
    else:
        assert evidence in caught("description", task)


def test_a_metric_that_looks_at_what_no_file_shows(prepared: Prepared) -> None:
    metric = WordUse("weighted", {"of": "accuracy", "by": "hidden_load"}, ("dna", "metric"))
    dna = dataclasses.replace(prepared.spec.dna, metric=metric)
    told = dataclasses.replace(prepared, spec=dataclasses.replace(prepared.spec, dna=dna))
    told = edited(told, "Metric: roc_auc", "Metric: weighted (of = accuracy, by = hidden_load)")
    assert "no file shows hidden_load" in caught("description", told)
    edited(told, "by = hidden_load", "by = axle_load")
    assert "no file shows" not in caught("description", told)


def test_a_table_that_nothing_joins(prepared: Prepared) -> None:
    line = "- `test.csv`"
    says = "- `depots.csv`: what is known of every `depot` in `train.csv`, to be joined by it."
    told = edited(prepared, line, f"{says}\n{line}")
    task = with_files(told, {"depots.csv": b"depot,size\nn,3\n"})
    assert "train.csv has no column depot to join by" in caught("description", task)
