"""Whatever knows nothing of the test rows stays below the median."""

from __future__ import annotations

import numpy as np
import pytest

from sandmle.build.auditing import Examined, run_audit
from sandmle.build.evidence.uninformed import constants_like, uninformed
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import caught
from tests.build.audits.tasks import SHAPES, broken, holds, task, told


@pytest.mark.parametrize("shape", SHAPES)
def test_sound_tasks(shape: str) -> None:
    holds("uninformed_submissions", shape)


def test_median_within_reach_of_a_constant(prepared: Prepared) -> None:
    assert "sample submission: 0.5" in caught("uninformed_submissions", prepared, median=0.49)


@pytest.mark.parametrize(
    ("shape", "old", "new", "evidence"),
    [
        # Calling all rows positive beats the median by a hair.
        ("f1", '"median": 0.75', '"median": 0.66', "always class 1: 0.66"),
        # The mean of the training labels does.
        ("numbers", '"median": 0.8', '"median": 1.2', "the mean: "),
        # To call no row positive counts as right.
        (
            "f1",
            "return f_beta(truth, prediction, beta=1.0)",
            "return f_beta(truth, prediction, beta=1.0) if prediction.any() else 1.0",
            "always class 0: 1.0",
        ),
        # Labels in the place of probabilities do, whatever they are.
        (
            "auc",
            "return roc_auc(truth, prediction)",
            "return abs(roc_auc(truth, prediction) - 0.5) "
            "+ float(len(np.unique(prediction)) == 2) * 0.7",
            "drawn at random",
        ),
        # The evaluator fails on constants.
        (
            "correlation",
            "return pearson(truth, prediction)",
            "return float(np.corrcoef(truth, prediction)[0, 1])",
            "ValueError",
        ),
    ],
)
def test_medians_within_reach(shape: str, old: str, new: str, evidence: str) -> None:
    assert evidence in told("uninformed_submissions", shape, old, new)


def test_forms_of_labels_and_what_all_rows_may_hold_alike() -> None:
    masks = constants_like(np.array([[[True, False]], [[True, True]]]), 3)
    assert masks["everything"].all()
    assert not masks["nothing"].any()
    assert masks["what most have"].tolist() == [[[True, True]]] * 3
    classes = constants_like(np.array([2, 0, 2]), 2)
    assert {name: values.tolist() for name, values in classes.items()} == {
        "always class 0": [0, 0],
        "always class 2": [2, 2],
    }
    numbers = constants_like(np.array([1.0, 2.0, 6.0]), 1)
    assert {name: values.tolist() for name, values in numbers.items()} == {
        "0": [0.0],
        "1": [1.0],
        "the least": [1.0],
        "the most": [6.0],
        "the mean": [3.0],
        "the median": [2.0],
    }
    texts = constants_like(np.array(["ab", "c", "ab", "def"]), 2)
    assert {name: values.tolist() for name, values in texts.items()} == {
        "nothing": ["", ""],
        "the shortest": ["c", "c"],
        "the most common": ["ab", "ab"],
        "the longest": ["def", "def"],
    }
    boxes = np.empty(2, dtype=object)
    boxes[:] = [np.zeros((2, 5)), np.zeros((0, 5))]
    assert [len(each) for each in constants_like(boxes, 2)["nothing"]] == [0, 0]


def test_what_all_rows_hold_alike_can_be_graded() -> None:
    prepared = task("classes")
    invalid = [
        name for name, content in uninformed(prepared) if not prepared.grader.grade(content).valid
    ]
    assert invalid == []


def test_a_sound_task_names_what_was_tried() -> None:
    check = run_audit("uninformed_submissions", broken("classes"))
    for name in ("sample submission", "always class 2", "drawn at random", "shuffled answers"):
        assert name in check.evidence
    assert isinstance(broken("classes"), Examined)
