"""Several processes train as one does."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandmle.play.rollout import read_rollouts
from sandmle.train.configuration import Training
from sandmle.train.dataset import Tasks
from sandmle.train.metrics import read_metrics
from tests.train.extra import needs_train

pytestmark = [needs_train, pytest.mark.slow]

ROOT = Path(__file__).parent.parent.parent


def launch(folder: Path) -> int:
    """Trains in two processes on this machine's processors, which speak by gloo."""
    command = ("torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    script = ("-m", "tests.train.launched", str(folder))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.run(
        [sys.executable, "-m", *command, *script], check=False, cwd=ROOT, env=environment
    ).returncode


def played(run: Path, place: str) -> list[tuple[str, int]]:
    """The task and the attempt of each rollout of a step, over the files of all processes."""
    paths = sorted((run / place).glob("rollouts*.jsonl"))
    return sorted((found.task, found.attempt) for path in paths for found in read_rollouts(path))


@pytest.mark.usefixtures("remembered")
def test_two_processes_that_are_killed_and_resumed_do_what_one_does(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    """The same tasks in the same order, the same rollouts, each line of metrics once."""
    from sandmle.train.run import train_on

    training = small(order="solve_rate", tasks=2, microbatch=4, steps=4, every=2)
    alone, together = tmp_path / "alone", tmp_path / "run"
    train_on(training, tasks, corpus=tmp_path, out=alone)

    (tmp_path / "training.pickle").write_bytes(pickle.dumps((training, tasks)))
    (tmp_path / "kill").write_text("3")
    assert launch(tmp_path) != 0
    assert (together / "checkpoint-2" / "trainer_state.json").is_file()
    assert not (together / "summary.json").exists()
    assert launch(tmp_path) == 0

    lines, expected = (read_metrics(run / "metrics.jsonl") for run in (together, alone))
    assert len(lines) == len(expected)
    for line, other in zip(lines, expected, strict=True):
        assert same(line) == pytest.approx(same(other), abs=1e-5)
        assert list(line["reward_by_task"]) == list(other["reward_by_task"])
        for name in ("reward_by_task", "terminations"):
            assert line[name] == pytest.approx(other[name])
        place = f"{line['split']}/step-{line['step']:05}"
        assert played(together, place) == played(alone, place)
    for process in range(2):
        assert (together / "train" / "step-00004" / f"rollouts-{process}.jsonl").is_file()
    assert (together / "summary.json").is_file()


def same(line: dict[str, Any]) -> dict[str, float]:
    """The numbers of a line that don't depend on how sums are split up."""
    names = (
        "step",
        "reward",
        "reward_std",
        "any_medal",
        "format",
        "dead_groups",
        "loss",
        "clipped",
    )
    return {name: line[name] for name in names if line.get(name) is not None}
