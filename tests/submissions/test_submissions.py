"""Every shape of submission: what it writes it reads back, and what is wrong gets a reason."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from sandmle.compiler.inline import Wanted, inline
from sandmle.errors import InvalidSubmission
from sandmle.runtime.table import read_table
from sandmle.runtime.tables import csv_bytes
from sandmle.spec.model import TASKS
from sandmle.vocabulary import FUNCTIONS, load_vocabulary

SUBMISSIONS = load_vocabulary().folder("submissions")
METRICS = load_vocabulary().folder("metrics")
ROWS = 30
CASES = [(name, task) for name, word in SUBMISSIONS.items() for task in word.traits["TASKS"]]


@functools.cache
def shape(name: str) -> Mapping[str, Any]:
    """The functions of a submission word, with the reader that they use."""
    taken = inline([Wanted(SUBMISSIONS[name].path, FUNCTIONS["submissions"])])
    scope: dict[str, Any] = {}
    exec(f"from __future__ import annotations\n{taken.imports}\n{taken.definitions}", scope)
    return scope


def make_labels(task: str) -> tuple[dict[str, np.ndarray], list[str]]:
    """Labels by target, and the classes' names, as a script has them in memory."""
    rng = np.random.default_rng(0)
    if task == "regression":
        return {"y": np.round(rng.normal(0, 1e3, ROWS), 2)}, []
    if task == "multilabel":
        return {name: rng.integers(0, 2, ROWS) for name in ("y", "z")}, ["0", "1"]
    classes = ["no", "yes"] if task == "binary" else ["low", "mid, or so", 'so "high"', "3"]
    return {"y": np.arange(ROWS) % len(classes)}, classes


def ids() -> np.ndarray:
    return np.array([f"r{index}" for index in range(ROWS)])


def parse(name: str, task: str, content: bytes) -> np.ndarray:
    """A submission's content as the metric gets it; strict about the ids of the answers."""
    labels, classes = make_labels(task)
    scope = shape(name)
    answers = read_table(csv_bytes({"id": ids(), **scope["encode"](labels, classes)}))
    found: np.ndarray = scope["parse"](read_table(content, answers), list(labels), classes)
    return found


def perfect(name: str, task: str) -> dict[str, np.ndarray]:
    labels, classes = make_labels(task)
    return {"id": ids(), **shape(name)["encode"](labels, classes)}


@pytest.mark.parametrize(("name", "task"), CASES)
def test_a_perfect_submission_reads_back_as_the_labels(name: str, task: str) -> None:
    labels, classes = make_labels(task)
    found = parse(name, task, csv_bytes(perfect(name, task)))
    stacked = np.column_stack(list(labels.values()))
    if SUBMISSIONS[name].traits["PREDICTS"] == "probability" and task == "multiclass":
        expected = np.eye(len(classes))[labels["y"]]
    else:
        expected = stacked if task == "multilabel" else labels["y"]

    assert found.shape == expected.shape
    assert np.array_equal(found, expected)
    assert (found.dtype.kind == "i") == (SUBMISSIONS[name].traits["PREDICTS"] == "label")


@pytest.mark.parametrize(("name", "task"), CASES)
def test_the_sample_is_constant_and_can_be_read(name: str, task: str) -> None:
    labels, classes = make_labels(task)
    columns = shape(name)["sample"](list(labels), classes, ROWS)
    found = parse(name, task, csv_bytes({"id": ids(), **columns}))

    assert (found == found[0]).all()
    assert list(columns) == list(shape(name)["encode"](labels, classes))


@pytest.mark.parametrize(("name", "task"), CASES)
def test_rows_are_aligned_by_id(name: str, task: str) -> None:
    order = np.random.default_rng(1).permutation(ROWS)
    shuffled = csv_bytes(perfect(name, task), order)

    assert np.array_equal(
        parse(name, task, shuffled), parse(name, task, csv_bytes(perfect(name, task)))
    )


#: Values that no cell may hold, by what the submission predicts.
BAD = {
    "probability": ["1.5", "-0.1", "nan", "inf", "1e309", "0_1", "yes", "", "50%", "1,5", "٠"],
    "label": ["No", "maybe", "", "nan", "1.0", "7", "-1"],
    "number": [
        "nan",
        "-inf",
        "1e309",
        "1e16",
        "-1e16",
        "1_0",
        "",
        "1.2.3",
        "0x10",
        "--1",
        "1e",
        "one",
    ],
}


@pytest.mark.parametrize(("name", "task"), CASES)
def test_a_bad_cell_is_refused_with_row_and_column(name: str, task: str) -> None:
    good = perfect(name, task)
    column = list(good)[-1]
    for text in BAD[SUBMISSIONS[name].traits["PREDICTS"]]:
        values = good[column].astype(object)
        values[3] = text
        with pytest.raises(InvalidSubmission, match=r"^row 4: ") as caught:
            parse(name, task, csv_bytes({**good, column: values}))
        assert repr(column) in str(caught.value)


def test_probabilities_of_classes_are_scaled_to_one() -> None:
    columns = perfect("class_probabilities", "multiclass")
    for name in list(columns)[1:]:
        columns[name] = np.full(ROWS, 0.251)
    found = parse("class_probabilities", "multiclass", csv_bytes(columns))

    assert found.sum(axis=1) == pytest.approx(np.ones(ROWS))


def test_probabilities_of_classes_must_sum_to_one() -> None:
    columns = perfect("class_probabilities", "multiclass")
    columns["low"] = columns["low"].astype(float)
    columns["low"][4] = 0.9
    with pytest.raises(Exception, match=r"^row 5: the probabilities sum to 0\.9; expected 1$"):
        parse("class_probabilities", "multiclass", csv_bytes(columns))


@pytest.mark.parametrize("task", TASKS)
def test_every_metric_finds_one_shape_for_each_of_its_tasks(task: str) -> None:
    for metric in METRICS.values():
        if task in metric.traits["TASKS"]:
            fitting = [
                name
                for name, word in SUBMISSIONS.items()
                if task in word.traits["TASKS"]
                and word.traits["PREDICTS"] == metric.traits["PREDICTS"]
            ]
            assert len(fitting) == 1, (metric.name, task, fitting)
