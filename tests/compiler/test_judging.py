"""How a task is judged: its classes, its metric, the shape of its submissions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from sandmle.compiler.judging import class_names, submission_use
from sandmle.errors import CompileError
from sandmle.spec.model import Spec, WordUse
from sandmle.vocabulary import load_vocabulary
from tests.compiler.conftest import Task


def with_task(spec: Spec, task: str, metric: str | Mapping[str, str]) -> Spec:
    use = {"kind": metric} if isinstance(metric, str) else dict(metric)
    kind = use.pop("kind")
    return dataclasses.replace(
        spec, dna=dataclasses.replace(spec.dna, task=task, metric=WordUse(kind, use, ()))
    )


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("plot-yield", ["no", "yes"]),
        ("clinic-stay", ["short", "middle, or so", "long"]),
        ("ticket-urgency", ["0", "1", "2", "3"]),
        ("cell-signs", ["0", "1"]),
        ("pump-load", []),
    ],
)
def test_classes_have_the_names_that_files_hold(
    tasks: Mapping[str, Task], name: str, names: list[str]
) -> None:
    assert class_names(tasks[name].spec, load_vocabulary()) == names


def test_classes_that_nobody_counts_are_refused(tasks: Mapping[str, Task]) -> None:
    spec = tasks["clinic-stay"].spec
    bare = dataclasses.replace(spec.targets[0], quantiles=None, labels=None)
    spec = dataclasses.replace(
        spec, dna=dataclasses.replace(spec.dna, classes=None), targets=(bare,)
    )
    with pytest.raises(CompileError, match=r"clinic-stay: neither dna\.classes nor labels"):
        class_names(spec, load_vocabulary())


@pytest.mark.parametrize(
    ("task", "metric", "submission"),
    [
        ("binary", "roc_auc", "probability"),
        ("binary", "accuracy", "label"),
        ("multiclass", "log_loss", "class_probabilities"),
        ("multiclass", "macro_f1", "label"),
        ("multilabel", {"kind": "per_column", "of": "roc_auc"}, "label_probabilities"),
        ("multilabel", "macro_f1", "label_columns"),
        ("ordinal", "quadratic_weighted_kappa", "label"),
        ("regression", "rmse", "number"),
    ],
)
def test_the_metric_and_the_task_choose_the_submission(
    tasks: Mapping[str, Task], task: str, metric: str | Mapping[str, str], submission: str
) -> None:
    spec = with_task(tasks["plot-yield"].spec, task, metric)

    assert submission_use(spec, load_vocabulary())[0].name == submission


def test_a_metric_that_no_submission_fits_is_refused(tasks: Mapping[str, Task]) -> None:
    spec = with_task(tasks["plot-yield"].spec, "ordinal", "roc_auc")
    with pytest.raises(CompileError, match="predicts 'probability' for ordinal by default"):
        submission_use(spec, load_vocabulary())
