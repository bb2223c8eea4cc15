"""What --dry-run tells, without a model, a GPU or vLLM."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from sandmle.train.arguments import arithmetic, trl_arguments
from sandmle.train.configuration import Training, load_training
from sandmle.train.dataset import Tasks
from sandmle.train.memory import count_parameters, estimate_memory
from sandmle.train.plan import make_plan, plan_lines
from tests.train.extra import needs_train
from tests.train.test_configuration import SHIPPED
from tests.train.test_dataset import task


def shipped(name: str) -> Training:
    return load_training(next(path for path in SHIPPED if path.stem == name))


@pytest.fixture(autouse=True)
def _chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = Tasks(tuple(task(str(number)) for number in range(64)), (task("held"),))
    monkeypatch.setattr("sandmle.train.plan.choose_tasks", lambda *_, **__: tasks)
    monkeypatch.setattr("sandmle.train.plan.choose_backend", lambda *_: "warm")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_file_has_a_plan(path: Path, tmp_path: Path) -> None:
    processes = 1 if path.stem == "tiny" else 8
    training = load_training(path)
    plan = make_plan(training, corpus=tmp_path, out=tmp_path / "run", processes=processes)
    faults = {check.name: check.found for check in plan.faults}
    assert faults.keys() <= {"installed"}
    if "installed" in faults:
        assert "pip install" in faults["installed"]
    lines = "\n".join(plan_lines(plan))
    assert "loss_type: grpo" in lines
    assert f"sequences a step = {processes} processes" in lines


def test_the_releases_values_reach_trl(tmp_path: Path) -> None:
    arguments = trl_arguments(shipped("qwen3-8b"), tmp_path, processes=8)
    expected = {
        "loss_type": "grpo",
        "beta": 0.0,
        "epsilon": 0.2,
        "epsilon_high": 0.28,
        "learning_rate": 1e-6,
        "num_generations": 4,
        "generation_batch_size": 64,
        "gradient_accumulation_steps": 8,
        "temperature": 1.0,
        "max_completion_length": 32768,
        "vllm_max_model_length": 40960,
        "vllm_gpu_memory_utilization": 0.7,
        "save_steps": 5,
        "eval_steps": 5,
        "max_steps": 80,
    }
    assert {name: arguments[name] for name in expected} == expected


@needs_train
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_trl_knows_every_argument(path: Path, tmp_path: Path) -> None:
    import dataclasses

    from trl import GRPOConfig

    known = {field.name for field in dataclasses.fields(GRPOConfig)}
    assert trl_arguments(load_training(path), tmp_path, processes=1).keys() <= known


def test_groups_are_not_torn_apart() -> None:
    training = shipped("qwen3-8b")
    assert arithmetic(training, 8).accumulation == 8
    with pytest.raises(ValueError, match="can't be spread over 3 processes"):
        arithmetic(training, 3)
    wide = replace(training, optimisation=replace(training.optimisation, microbatch=64))
    with pytest.raises(ValueError, match="does not divide the 8 sequences"):
        arithmetic(wide, 8)


def test_faults_are_told_and_not_raised(tmp_path: Path) -> None:
    training = shipped("qwen3-8b")
    training = replace(training, model=replace(training.model, path=str(tmp_path)))
    plan = make_plan(training, corpus=tmp_path, out=tmp_path / "run", processes=3)
    faults = {check.name: check.found for check in plan.faults}
    assert "no config.json" in faults["model"]
    assert "optimisation.tasks" in faults["batch"]
    if find_spec("vllm") is None and find_spec("trl") is not None:
        assert "vllm_colocate needs vllm" in faults["installed"]


def test_memory_follows_from_the_size() -> None:
    assert count_parameters("Qwen/Qwen3-30B-A3B") == 30_000_000_000
    assert count_parameters("Qwen/Qwen3-0.6B") == 600_000_000
    assert count_parameters("somebody/nameless") is None


def test_parameters_of_a_model_that_is_there_are_counted(tmp_path: Path) -> None:
    """Whatever its numbers take: https://huggingface.co/docs/safetensors tells the format."""
    tensors = {
        "one": {"dtype": "BF16", "shape": [3, 5], "data_offsets": [0, 30]},
        "two": {"dtype": "F32", "shape": [2], "data_offsets": [30, 38]},
    }
    for name in tensors:
        header = json.dumps({"__metadata__": {"format": "pt"}, name: tensors[name]}).encode()
        content = len(header).to_bytes(8, "little") + header + bytes(38)
        (tmp_path / f"model-{name}.safetensors").write_bytes(content)
    assert count_parameters(str(tmp_path)) == 17
    training = shipped("qwen3-8b")
    memory = estimate_memory(training, processes=8)
    assert memory is not None
    assert memory.states == 16_000_000_000
    assert memory.generation == 16_000_000_000
