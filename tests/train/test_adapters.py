"""Adapters alone are trained, saved, resumed and merged; and what bfloat16 does on a processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandmle.play.prompts import opening_messages
from sandmle.play.tools import tool_schemas
from sandmle.train.configuration import Lora, Model, Training
from sandmle.train.dataset import Tasks
from sandmle.train.metrics import read_metrics
from tests.train.extra import needs_train

pytestmark = [needs_train, pytest.mark.usefixtures("remembered")]


@pytest.fixture
def base(tasks: Tasks, small: Callable[..., Training], tmp_path: Path) -> Path:
    """A folder with a model as any other one's: the embedded one, which speaks after a warm-up."""
    from sandmle.train.embedded import make_tokenizer, write_embedded
    from sandmle.train.speech import Speech

    folder, settings = tmp_path / "base", small().episode.settings()
    speech = Speech(make_tokenizer(tmp_path), tool_schemas("test"))
    prompts = [speech.opening_text(opening_messages(task, settings)) for task in tasks.train]
    write_embedded(folder, prompts=prompts, seed=0, corpus=tmp_path)
    return folder


def adapters_of(checkpoint: Path) -> Any:
    from safetensors.torch import load_file

    return load_file(checkpoint / "adapter_model.safetensors")


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_adapters_alone_are_trained_and_go_on_after_a_kill(
    precision: Any, base: Path, tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    import torch
    from peft import AutoPeftModelForCausalLM
    from transformers import AutoModelForCausalLM

    from sandmle.train.run import train_on

    model = Model(str(base), precision, gradient_checkpointing=False, lora=Lora(rank=4, alpha=8))
    training = replace(small(steps=2, every=1), model=model)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    train_on(training, tasks, corpus=tmp_path, out=whole)

    class KilledError(Exception):
        pass

    def kill(line: Mapping[str, Any]) -> None:
        if line["step"] == 2:
            raise KilledError

    with pytest.raises(KilledError):
        train_on(training, tasks, corpus=tmp_path, out=broken, progress=kill)
    train_on(training, tasks, corpus=tmp_path, out=broken, resume=True)

    first, found, expected = (
        adapters_of(run / f"checkpoint-{step}")
        for run, step in ((whole, 1), (broken, 2), (whole, 2))
    )
    assert all("lora_" in name for name in found)
    assert all(torch.equal(found[name], expected[name]) for name in expected)
    assert any(not torch.equal(first[name], expected[name]) for name in expected)
    assert not list(whole.glob("checkpoint-*/model*.safetensors"))

    checkpoint = broken / "checkpoint-2"
    merged = AutoPeftModelForCausalLM.from_pretrained(checkpoint).merge_and_unload().state_dict()
    before = AutoModelForCausalLM.from_pretrained(base).state_dict()
    assert merged.keys() == before.keys()
    changed = {name for name in before if not torch.equal(before[name], merged[name].float())}
    assert changed
    assert all(name.endswith("_proj.weight") for name in changed)


def test_all_weights_are_trained_in_bfloat16_on_a_processor(
    base: Path, tasks: Tasks, small: Callable[..., Training], tmp_path: Path
) -> None:
    """It computes in bfloat16; what is kept and updated is float32."""
    import torch
    from safetensors.torch import load_file

    from sandmle.train.run import train_on

    model = Model(str(base), "bfloat16", gradient_checkpointing=True)
    train_on(
        replace(small(steps=1, every=1), model=model), tasks, corpus=tmp_path, out=tmp_path / "run"
    )
    weights = load_file(tmp_path / "run" / "checkpoint-1" / "model.safetensors")
    assert {weight.dtype for weight in weights.values()} == {torch.float32}
    (line,) = (
        line
        for line in read_metrics(tmp_path / "run" / "metrics.jsonl")
        if line["split"] == "train"
    )
    assert line["gradient_norm"] > 0
