"""Every shape of submission in a compiled task: files that fit each other, graded end to end."""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandmle.compiler.compile import compile_spec
from sandmle.grading import Grader, load_script, make_grader
from sandmle.spec.load import parse_spec
from sandmle.vocabulary import load_vocabulary
from tests.submissions.cases import SUBMISSIONS

SPECS: Mapping[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "specs.yaml").read_text(encoding="utf-8")
)
TRAIN, TEST = 60, 100


@functools.cache
def make_task(name: str) -> tuple[Mapping[str, bytes], Grader, str]:
    """The public files, the grader and the description of the task that submits by a word."""
    partial = SPECS[name]
    data = {
        "spec": 1,
        "id": name.replace("_", "-"),
        "random_seed": 7,
        **partial,
        "dna": {**partial["dna"], "train": TRAIN, "test": TEST},
        "domain": {"name": "testing", "entity": "part"},
        "factors": {"a": {"kind": "normal"}} | partial.get("factors", {}),
        "narrative": {"title": "Parts", "story": "Parts are looked at."},
    }
    text = yaml.safe_dump(data, sort_keys=False)
    compiled = compile_spec(
        parse_spec(text, file=f"{data['id']}.yaml", vocabulary=load_vocabulary())
    )
    dataset = load_script(compiled.generate, "generate.py")["generate"]()
    grader = make_grader(compiled.evaluate, dataset.private["answers.csv"])
    return dataset.public, grader, compiled.description


def read(content: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(content.decode(), newline="")))


def test_every_word_has_a_task() -> None:
    assert set(SPECS) == set(SUBMISSIONS)


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_task_grades_what_its_files_ask_for(name: str) -> None:
    public, grader, description = make_task(name)
    sample = public["sample_submission.csv"]
    perfect, constant = grader.grade(grader.perfect), grader.grade(sample)
    assert perfect.reason is None
    assert constant.reason is None
    assert perfect.score is not None
    assert constant.score is not None
    gain = perfect.score - constant.score

    assert (gain < 0) if grader.is_lower_better else (gain > 0)
    assert read(sample)[0] == read(grader.perfect)[0]
    assert [row[0] for row in read(sample)] == [row[0] for row in read(grader.perfect)]
    assert not any(column.startswith("_") for column in read(sample)[0])
    assert f"Format: {name}" in description


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_the_training_labels_stand_where_the_word_says(name: str) -> None:
    public, grader, _ = make_task(name)
    shown, held = read(public["train.csv"]), read(public["test.csv"])
    submitted = read(grader.perfect)[0]
    form = SUBMISSIONS[name].traits.get("TRAIN", "columns")
    ids = {row[0] for row in shown[1:]}

    assert len(ids) == len(shown) - 1 == TRAIN
    assert not ids & {row[0] for row in held[1:]}
    if form == "encoded":
        assert set(submitted) <= set(shown[0])
        assert not set(submitted[1:]) & set(held[0])
        assert all(len(row) == len(shown[0]) for row in shown)
    elif form == "table":
        table = read(public["train_labels.csv"])
        assert table[0] == submitted
        assert {row[0].split("_")[0] for row in table[1:]} == ids
    elif form == "files":
        assert {path.stem for path in map(Path, public) if path.parent.name == "train_clean"} == ids
    else:
        assert set(shown[0]) > set(held[0])
