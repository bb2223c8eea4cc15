"""The metric and the submission: the seed's own first, fewer guesses than classes."""

from __future__ import annotations

import dataclasses

import pytest

from sandmle.roles.operations import severity
from sandmle.seeds.model import SeedMetric
from tests.roles.contexts import context_of, seed_of


def test_the_first_draft_keeps_metric_and_submission_with_their_parameters() -> None:
    dna = context_of(seed_of("vesuvius-challenge-ink-detection")).sections["dna"]
    assert dna["metric"] == {"kind": "mask_f_beta", "beta": 0.5}
    assert dna["submission"] == {"kind": "run_lengths", "order": "rows"}


def test_nested_metrics_are_kept() -> None:
    dna = context_of(seed_of("nomad2018-predict-transparent-conductors")).sections["dna"]
    assert dna["metric"] == {"kind": "per_column", "of": "rmsle"}
    assert "submission" not in dna, "the usual shape goes without saying"


def test_later_drafts_mostly_keep_them_and_sometimes_not() -> None:
    seed = seed_of("cassava-leaf-disease-classification")
    metrics = [
        context_of(seed, number=number, name=str(number)).sections["dna"]["metric"]
        for number in range(1, 60)
    ]
    kept = sum(metric == "accuracy" for metric in metrics)
    assert 0.5 * len(metrics) < kept < len(metrics)


def test_guesses_are_fewer_than_classes() -> None:
    dna = context_of(seed_of("hotel-id-2021-fgvc8")).sections["dna"]
    assert dna["classes"] == 4
    assert dna["metric"] == {"kind": "map_at_k", "k": 3}
    assert dna["submission"] == {"kind": "top_k", "k": 3}


def test_a_metric_that_the_vocabulary_lacks_gives_way_to_one_that_fits() -> None:
    seed = dataclasses.replace(seed_of("wine"), metric=SeedMetric("zanzibar", "description"))
    assert context_of(seed).sections["dna"]["metric"] != "zanzibar"


@pytest.mark.parametrize(
    ("metric", "hardness"), [("roc_auc", -1.0), ("log_loss", 1.0), ("accuracy", 1.0)]
)
def test_decisions_and_losses_are_harder_than_rankings(metric: str, hardness: float) -> None:
    seed = dataclasses.replace(
        seed_of("aerial-cactus-identification"), metric=SeedMetric(metric, "config")
    )
    if metric == "accuracy":
        shape = dataclasses.replace(seed.submission, shape="label")
        seed = dataclasses.replace(seed, submission=shape)
    assert severity(context_of(seed)) == hardness
