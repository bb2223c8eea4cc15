"""Who knows the truth without the noise wins gold, unless the noise is too loud."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sandmle.build.prepare import Prepared
from tests.build.audits.planting import caught
from tests.build.audits.tasks import SHAPES, holds


@pytest.mark.parametrize("shape", sorted(set(SHAPES) - {"brier", "log loss", "classes", "f1"}))
def test_truth_wins_gold(shape: str) -> None:
    holds("noise_free_truth", shape)


@pytest.mark.parametrize("kind", ["shuffled", "half shuffled", "one in five wrong", "all alike"])
def test_truth_that_does_not_win(kind: str, prepared: Prepared) -> None:
    rng = np.random.default_rng(0)
    truth = prepared.dataset.truth["has_damage"]
    if kind == "shuffled":
        noisy = rng.permutation(truth)
    elif kind == "half shuffled":
        noisy = np.where(rng.random(len(truth)) < 0.5, rng.permutation(truth), truth)
    elif kind == "one in five wrong":
        noisy = np.where(rng.random(len(truth)) < 0.2, 1 - truth, truth)
    else:
        noisy = np.zeros_like(truth)
    dataset = dataclasses.replace(prepared.dataset, truth={"has_damage": noisy})
    caught("noise_free_truth", dataclasses.replace(prepared, dataset=dataset))
