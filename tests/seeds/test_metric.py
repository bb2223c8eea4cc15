"""Which metric a competition is scored by, as config files and descriptions write it."""

from __future__ import annotations

import pytest

from sandmle.seeds.metric import customary_metric, told_metric
from sandmle.vocabulary import load_vocabulary

METRICS = load_vocabulary().folder("metrics")


@pytest.mark.parametrize("name", [n for n, word in METRICS.items() if "FOLLOWS" not in word.traits])
def test_every_metric_of_the_vocabulary_is_recognised_by_its_name(name: str) -> None:
    told = told_metric("", f"# Task\n\n## Evaluation\n\nMetric: {name}\n\nHigher is better.\n")
    assert told is not None
    assert (told.name, told.known_from) == (name, "description")
    told = told_metric(name.replace("_", "-"), "")
    assert told is not None
    assert (told.name, told.known_from) == (name, "config")


@pytest.mark.parametrize(
    ("grader", "name"),
    [
        ("auc-roc", "roc_auc"),
        ("root-mean-squared-error", "rmse"),
        ("multi-class-log-loss", "log_loss"),
        ("quadratic-weighted-kappa", "quadratic_weighted_kappa"),
        ("mean-column-wise-roc-auc", "per_column of roc_auc"),
        ("mean-column-wise-root-mean-squared-error", "per_column of rmse"),
        ("f1-score-macro", "macro_f1"),
        ("micro-f1", "micro_f1"),
        ("f1", "f_beta"),
        ("zanzibar", None),
    ],
)
def test_graders_as_benchmarks_name_them(grader: str, name: str | None) -> None:
    told = told_metric(grader, "")
    expected = name.split(" of ") if name else [None]
    assert [told.name if told else None, *(told.parameters.values() if told else [])] == expected


def test_only_the_evaluation_section_counts() -> None:
    text = (
        "# On accuracy\n\nAccuracy matters.\n\n## Evaluation\n\nThe RMSE.\n\n## Data\n\nlog loss\n"
    )
    told = told_metric("", text)
    assert told is not None
    assert told.name == "rmse"
    assert told_metric("", "# On accuracy\n\nAccuracy matters.\n") is None


@pytest.mark.parametrize("task", ["binary", "multiclass", "multilabel", "ordinal", "regression"])
def test_every_task_that_profiles_tell_has_a_customary_metric_of_the_vocabulary(task: str) -> None:
    metric = customary_metric(task)
    assert metric.known_from == "task"
    assert task in METRICS[metric.name].traits["TASKS"]
