"""The embedded model learns which pipelines win where, from what the real sandbox says of them."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path

import pytest

from sandmle.train.configuration import Training
from sandmle.train.dataset import Tasks
from sandmle.train.metrics import read_metrics
from tests.train.extra import needs_train

pytestmark = needs_train

STEPS = 24


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_rewards_grow(
    seed: int, tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    from sandmle.train.run import train_on

    training = small(
        seed=seed,
        steps=STEPS,
        every=STEPS,
        rollouts=16,
        microbatch=64,
        reward="release",
    )
    train_on(training, tasks, corpus=tmp_path, out=tmp_path / "run")
    lines = read_metrics(tmp_path / "run" / "metrics.jsonl")
    rewards = [line["reward"] for line in lines if line["split"] == "train"]
    assert len(rewards) == STEPS
    first, last = statistics.fmean(rewards[:5]), statistics.fmean(rewards[-5:])
    assert last >= first + 0.25
