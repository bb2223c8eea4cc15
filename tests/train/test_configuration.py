"""Training files are read strictly: faults are named with their place, before anything loads."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from sandmle.errors import SpecError
from sandmle.train.configuration import (
    Checkpoints,
    Data,
    Episode,
    Evaluation,
    Generation,
    Model,
    Optimisation,
    Sandbox,
    Training,
    load_training,
)
from sandmle.train.supervised import is_supervised

#: The shipped files of GRPO.
SHIPPED = [
    path
    for path in sorted((Path(__file__).parent.parent.parent / "training").glob("*.yaml"))
    if not is_supervised(path)
]

#: What the line above them, or their own name, explains.
HEADED = (
    "ids",
    "modalities",
    "kinds",
    "metrics",
    "temperature",
    "steps",
    "warmup_steps",
    "weight_decay",
)


def load(folder: Path, text: str) -> Training:
    path = folder / "training.yaml"
    path.write_text(text)
    return load_training(path)


def faults(folder: Path, text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load(folder, text)
    return [
        f"{problem.line}:{problem.where}: {problem.message}" for problem in caught.value.problems
    ]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_files_are_right(path: Path) -> None:
    assert load_training(path).optimisation.loss == "grpo"


def test_tiny_explains_every_key() -> None:
    """Every key that a file may have stands in tiny.yaml, with a comment behind it."""
    text = next(path for path in SHIPPED if path.stem == "tiny").read_text()
    for section in dataclasses.fields(Training):
        assert f"{section.name}:" in text
    commented = [line for line in text.splitlines() if line.startswith("  ")]
    for kind in (Model, Data, Episode, Sandbox, Generation, Optimisation, Evaluation, Checkpoints):
        for key in dataclasses.fields(kind):
            lines = [line for line in commented if line.startswith(f"  {key.name}:")]
            assert lines, key.name
            assert all("#" in line or key.name in HEADED for line in lines), key.name


def test_what_is_left_out_has_the_papers_values(tmp_path: Path) -> None:
    training = load(tmp_path, "model: {path: Qwen/Qwen3-8B}\n")
    assert training.sequences == 64
    assert training.optimisation.learning_rate == 1e-6
    assert training.optimisation.clip_high == 0.28
    assert training.optimisation.kl == 0.0
    assert training.episode.masked == ("time_limit",)


def test_solve_rates_are_for_the_order_that_asks_for_them(tmp_path: Path) -> None:
    model, rates = "model: {path: Qwen/Qwen3-8B}\n", "data:\n  solve_rates: runs/before\n"
    (found,) = faults(tmp_path, model + rates)
    assert found.startswith("3:data.solve_rates: rates are for the order solve_rate")
    assert load(tmp_path, model + rates + "  order: solve_rate\n").data.solve_rates


def test_unknown_keys_are_named_with_a_suggestion(tmp_path: Path) -> None:
    text = "model: {path: x}\noptimisation:\n  steps: 5\n  learning_rat: 0.1\n"
    (fault,) = faults(tmp_path, text)
    assert fault.startswith("4:optimisation.learning_rat: unknown key 'learning_rat'")
    assert "did you mean 'learning_rate'?" in fault


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model: {path: x}\nseed: many\n", "2:seed: expected a whole number"),
        ("model: {path: x, precision: float16}\n", "1:model.precision: "),
        ("model: {path: x}\noptimisation: {rollouts: 1}\n", "2:optimisation.rollouts: "),
        ("seed: 1\n", "1:: missing key 'model'"),
        ("model: {path: x}\nepisode: {masked: [answer]}\n", "2:episode.masked[0]: "),
    ],
)
def test_wrong_values_are_refused_at_their_place(tmp_path: Path, text: str, expected: str) -> None:
    (fault,) = faults(tmp_path, text)
    assert fault.startswith(expected)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("optimisation: {tasks: 3, rollouts: 3, microbatch: 2}", "optimisation.microbatch"),
        ("generation: {turn_tokens: 100, completion_tokens: 50}", "generation.turn_tokens"),
        ("generation: {engine: vllm_server}", "generation.server"),
        ("generation: {server: 'http://here'}", "generation.server"),
        ("evaluation: {every: 5}\ncheckpoints: {every: 2}", "evaluation.every"),
        ("optimisation: {steps: 7}", "optimisation.steps"),
        ("episode: {reward: papr}", "episode.reward"),
    ],
)
def test_conflicts_are_refused_before_anything_loads(tmp_path: Path, text: str, where: str) -> None:
    (fault,) = faults(tmp_path, f"model: {{path: x}}\n{text}\n")
    assert fault.split(": ")[0].endswith(f":{where}")


def test_the_embedded_model_takes_neither_adapters_nor_vllm(tmp_path: Path) -> None:
    found = faults(tmp_path, "model: {path: tiny, lora: {rank: 8}}\n")
    assert len(found) == 3  # bfloat16 and vLLM are the defaults
    assert any("model.lora" in fault for fault in found)
