from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from sandmle.demo import run as demo
from sandmle.demo import training as demo_training
from sandmle.play.rollout import read_rollouts
from sandmle.spec.load import load_spec
from sandmle.train.configuration import Training, load_training
from tests.train.extra import needs_train


def test_shipped_specs_take_turns_over_the_modalities() -> None:
    modalities = Counter(load_spec(path).dna.modality for path in demo.shipped_specs(12))
    assert modalities.total() == 12
    assert len(modalities) >= 3
    assert max(modalities.values()) <= 5


def test_shipped_specs_that_are_trained_on_come_first() -> None:
    named = demo_training.shipped_training().data.ids
    chosen = demo.shipped_specs(demo.SHIPPED, first=named)
    trained = {load_spec(path).dna.modality for path in chosen if path.stem in named}
    others = {load_spec(path).dna.modality for path in chosen if path.stem not in named}
    assert trained
    assert not trained & others


def small(tmp_path: Path) -> Training:
    """A training on two quick tasks."""
    path = tmp_path / "quick.yaml"
    path.write_text(
        """\
model: {path: tiny, precision: float32}
data: {ids: [club-form, dose-finding], validation: 0.5}
episode: {turns: 1, libraries: [scikit-learn]}
generation: {engine: transformers, prompt_tokens: 512, completion_tokens: 512, turn_tokens: 1}
optimisation: {steps: 1, tasks: 1, rollouts: 2, microbatch: 2}
evaluation: {every: 1}
checkpoints: {every: 1}
"""
    )
    return load_training(path)


def run_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, training: Training
) -> tuple[Path, str]:
    """Runs a small demo; its folder and what it told."""
    monkeypatch.setattr(demo, "SHIPPED", 1)
    monkeypatch.setattr(demo, "DRAFTS", 2)
    monkeypatch.setattr(demo, "POLICIES", ("dummy", "honest"))
    monkeypatch.setattr(demo, "shipped_training", lambda: training)
    console = Console(file=io.StringIO(), width=120)
    folder = tmp_path / "demo"
    demo.run_demo(folder, console)
    assert isinstance(console.file, io.StringIO)
    return folder, console.file.getvalue()


@pytest.mark.slow
def test_the_demo_goes_from_a_real_data_set_to_rewards_without_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_training, "missing", lambda training: "pip install torch")
    folder, told = run_small(tmp_path, monkeypatch, small(tmp_path))
    rollouts = list(read_rollouts(folder / "runs" / "demo.jsonl"))
    assert {rollout.policy for rollout in rollouts} == {"dummy", "honest"}
    assert all(rollout.task[:15] in told for rollout in rollouts), "long names are cut"
    assert any(rollout.reward and rollout.reward.total >= 0.7 for rollout in rollouts)
    page = (folder / "build" / "report.html").read_text("utf-8")
    assert page.count("<article") == 4
    assert "honest <b>" in page
    assert f"open {folder / 'runs' / 'demo' / 'index.html'}" in told
    assert list((folder / "runs" / "demo").glob("bodies-*/*.js"))
    assert "not trained: pip install torch" in told
    assert "look at the training" not in told


@pytest.mark.slow
@needs_train
def test_the_demo_ends_with_a_training_which_is_done_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = small(tmp_path)
    folder, told = run_small(tmp_path, monkeypatch, training)
    assert "Trained a model made on the spot on 1 tasks; 1 are held out" in told
    assert "held-out tasks that win a medal: " in told
    (page,) = (folder / "runs").glob("tiny-*/training.html")
    assert f"open {page}" in told
    assert page.parent.name in (folder / "build" / "report.html").read_text("utf-8")
    metrics = (page.parent / "metrics.jsonl").read_bytes()

    _, told = run_small(tmp_path, monkeypatch, training)
    assert f"trained before on the same tasks, and not again: {page.parent}" in told
    assert "held-out tasks that win a medal: " in told
    assert (page.parent / "metrics.jsonl").read_bytes() == metrics

    _, told = run_small(tmp_path, monkeypatch, replace(training, seed=1))
    assert "Trained a model made on the spot" in told
    assert len(list((folder / "runs").glob("tiny-*/summary.json"))) == 2
