"""What a description adds to a profile, and who is believed where they disagree."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from sandmle.resources import resource
from sandmle.seeds.description import DESCRIPTION, Told, merge
from sandmle.seeds.load import load_seed
from sandmle.seeds.model import Seed, SeedMetric, SeedSplit
from sandmle.vocabulary import load_vocabulary


def seed_of(name: str, **changes: Any) -> Seed:
    seed = load_seed(resource("specs") / "seeds" / f"{name}.yaml")
    return dataclasses.replace(seed, **changes)


def merged(seed: Seed, trust: str = "data", **told: Any) -> tuple[Seed, list[str]]:
    found, conflicts = merge(seed, Told(**told), vocabulary=load_vocabulary(), trust=trust)
    return found, [str(conflict) for conflict in conflicts]


def metric(name: str, **parameters: Any) -> SeedMetric:
    return SeedMetric(name, "description", parameters)


def test_nothing_said_changes_nothing() -> None:
    seed = seed_of("breast-cancer")
    assert merged(seed) == (seed, [])


def test_a_metric_that_was_mere_custom_gives_way_to_the_one_that_is_said() -> None:
    seed = seed_of("breast-cancer", metric=SeedMetric("roc_auc", "task"))
    found, conflicts = merged(seed, metric=metric("accuracy"))
    assert (found.metric, conflicts) == (metric("accuracy"), [])
    assert found.submission.shape == "label"  # what it predicts, not a probability any more


def test_parameters_that_no_pattern_tells_are_added() -> None:
    seed = seed_of("breast-cancer", metric=SeedMetric("f_beta", "description"))
    found, conflicts = merged(seed, metric=metric("f_beta", beta=2))
    assert (found.metric, conflicts) == (metric("f_beta", beta=2), [])


def test_a_metric_that_is_known_stays_unless_told_otherwise() -> None:
    seed = seed_of("breast-cancer", metric=SeedMetric("roc_auc", "config"))
    found, conflicts = merged(seed, metric=metric("log_loss"))
    assert found == seed
    assert conflicts == [
        "metric: the description says log_loss, the data say roc_auc; took the word of the data"
    ]
    found, conflicts = merged(seed, DESCRIPTION, metric=metric("log_loss"))
    assert found.metric == metric("log_loss")
    assert conflicts[0].endswith("took the word of the description")


def test_a_metric_that_no_such_task_has_is_never_taken() -> None:
    seed = seed_of("breast-cancer", metric=SeedMetric("roc_auc", "task"))
    found, conflicts = merged(seed, DESCRIPTION, metric=metric("rmse"))
    assert found == seed
    assert conflicts[0].endswith("took the word of the data")


def test_that_classes_have_an_order_is_only_ever_said() -> None:
    seed = seed_of("wine", metric=SeedMetric("macro_f1", "config"))
    assert seed.task == "multiclass"
    found, conflicts = merged(seed, task="ordinal")
    assert (found.task, conflicts) == ("ordinal", [])


def test_a_task_comes_with_a_metric_that_scores_it() -> None:
    seed = seed_of("wine", metric=SeedMetric("log_loss", "config"))
    kappa = metric("quadratic_weighted_kappa")
    found, conflicts = merged(seed, task="ordinal", metric=kappa)
    assert (found.task, found.metric, conflicts) == ("ordinal", kappa, [])
    found, conflicts = merged(seed, task="ordinal")
    assert found == seed
    assert conflicts[0].startswith("task: the description says ordinal")


@pytest.mark.parametrize("trust", ["data", DESCRIPTION])
def test_a_task_that_the_data_rule_out_is_not_taken(trust: str) -> None:
    seed = seed_of("diabetes")
    found, conflicts = merged(seed, trust, task="multiclass")
    assert found.task == "regression"
    assert conflicts == [
        "task: the description says multiclass, the data say regression; took the word of the data"
    ]


def test_how_train_and_test_differ_is_only_ever_said() -> None:
    assert merged(seed_of("wine"), split="group")[0].split == SeedSplit("group")


def test_files_and_targets_that_are_not_there_are_named() -> None:
    seed = seed_of("aerial-cactus-identification")
    found, conflicts = merged(seed, files=("image", "audio"), targets=("a", "b"))
    assert found == seed
    assert conflicts == [
        "files: the description says audio, the data say image; took the word of the data",
        "targets: the description says 2, the data say 1; took the word of the data",
    ]
    found, _ = merged(seed, DESCRIPTION, files=("image", "audio"))
    assert [files.kind for files in found.files] == ["image", "audio"]


def test_another_modality_is_a_conflict() -> None:
    seed = seed_of("wine")
    assert merged(seed, modality="text")[0].modality == "tabular"
    assert merged(seed, DESCRIPTION, modality="text")[0].modality == "text"
