"""A run that is killed goes on as if it had not been."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandmle.train.configuration import Training
from sandmle.train.dataset import Tasks
from sandmle.train.metrics import read_metrics
from tests.train.extra import needs_train

pytestmark = [needs_train, pytest.mark.usefixtures("remembered")]

#: What differs from run to run.
TIMED = ("seconds",)


def lines_of(run: Path) -> list[dict[str, Any]]:
    lines = read_metrics(run / "metrics.jsonl")
    return [{key: value for key, value in line.items() if key not in TIMED} for line in lines]


def weights_of(checkpoint: Path) -> Any:
    from safetensors.torch import load_file

    return load_file(checkpoint / "model.safetensors")


@pytest.mark.parametrize("changes", [{}, {"order": "solve_rate", "tasks": 2, "microbatch": 8}])
def test_a_resumed_run_equals_one_that_was_not_interrupted(
    changes: dict[str, Any], tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    import torch

    from sandmle.train.run import train_on

    training = small(steps=4, every=2, **changes)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    train_on(training, tasks, corpus=tmp_path, out=whole)

    class KilledError(Exception):
        pass

    def kill(line: Any) -> None:
        if line["step"] == 3:
            raise KilledError

    with pytest.raises(KilledError):
        train_on(training, tasks, corpus=tmp_path, out=broken, progress=kill)
    # A kill in the middle of a checkpoint leaves a part of one.
    torn = broken / "checkpoint-4"
    shutil.copytree(broken / "checkpoint-2", torn)
    (torn / "trainer_state.json").write_text('{"global_st')
    with (broken / "metrics.jsonl").open("a") as file:
        file.write('{"step": 4, "spl')
    train_on(training, tasks, corpus=tmp_path, out=broken, resume=True)

    assert lines_of(broken) == lines_of(whole)
    assert json.loads((broken / "summary.json").read_text()) == json.loads(
        (whole / "summary.json").read_text()
    )
    after, expected = (weights_of(run / "checkpoint-4") for run in (broken, whole))
    assert after.keys() == expected.keys()
    assert all(torch.equal(after[name], expected[name]) for name in expected)


def test_the_best_checkpoint_is_named(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    from sandmle.train.run import train_on

    out = tmp_path / "run"
    summary = train_on(small(steps=2, every=1), tasks, corpus=tmp_path, out=out)
    rewards = {
        line["step"]: line["reward"] for line in lines_of(out) if line["split"] == "validation"
    }
    assert set(rewards) == {0, 1, 2}
    best = int(summary["best"].rpartition("-")[2])
    assert rewards[best] == max(rewards[1], rewards[2])
    assert (out / summary["best"] / "model.safetensors").is_file()
