"""The training of a model of random weights: what it counts, and that it runs without a GPU."""

from __future__ import annotations

import importlib.util
import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sandmle.train.files import METRICS_FILE
from sandmle.train.generation import Request, Sampled
from sandmle.train.metrics import append_metrics
from tests.train.extra import needs_train

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "gpu_train.py"


@pytest.fixture(scope="module")
def script() -> Any:
    specification = importlib.util.spec_from_file_location("gpu_train", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["gpu_train"] = module
    specification.loader.exec_module(module)
    return module


class Junk:
    """Says as much as it may."""

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        return [Sampled((9,) * request.limit, (-1.0,) * request.limit) for request in requests]


def test_every_turn_is_ended_by_a_call_and_only_junk_counts(script: Any) -> None:
    counts: Counter[str] = Counter()
    calling = script.Calling(Junk(), [(1, 2), (3, 4)], 3, counts)
    requests = [Request((0,) * 10, limit, seed) for limit in (99, 4) for seed in range(8)]
    found = calling.sample(requests)
    assert {sampled.ids[:3] for sampled in found} == {(9, 9, 9)}
    assert {sampled.ids[3:] for sampled in found[:8]} == {(1, 2), (3, 4)}
    assert {len(sampled.ids) for sampled in found[8:]} == {4}
    assert all(len(sampled.ids) == len(sampled.logprobs) for sampled in found)
    assert math.isnan(found[0].logprobs[-1])
    assert calling.sample(requests) != []
    assert counts == {"prompt": 2 * 160, "completion": 2 * 48}


def test_the_first_step_is_left_out(script: Any, tmp_path: Path) -> None:
    for step, seconds in ((1, 100.0), (2, 2.0), (3, 4.0)):
        line = {"step": step, "split": "train", "seconds": dict.fromkeys(script.PARTS, seconds)}
        append_metrics(tmp_path / METRICS_FILE, line)
    counted = {step: Counter(prompt=step * 600, completion=60) for step in (1, 2, 3)}
    found = script.speed(tmp_path, counted)
    assert found["prompt_tokens_per_s"] == 500
    assert found["completion_tokens_per_s"] == 20
    assert found["seconds"] == dict.fromkeys(script.PARTS, 3.0)


@needs_train
@pytest.mark.slow
def test_it_runs_without_a_gpu() -> None:
    sizes = ["--steps", "1", "--tasks", "1", "--rollouts", "2", "--microbatch", "2"]
    lengths = ["--turns", "1", "--tokens", "4", "--device", "cpu"]
    command = [sys.executable, str(SCRIPT), *sizes, *lengths]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["device"], found["dtype"], found["steps"]) == ("cpu", "float32", 1)
    assert found["parameters"] > 100_000
    assert found["peak_gib"] is None
    assert all(found["seconds"][part] >= 0 for part in ("generate", "sandbox", "score", "update"))
    assert found["completion_tokens_per_s"] > 0
