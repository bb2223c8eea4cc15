"""A model that writes free text, byte by byte: SFT on scripted rollouts, then GRPO after it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.play.conversation import ToolCall, Turn
from sandmle.play.episode import Episode
from sandmle.play.play import play_episodes
from sandmle.play.reward import load_weights
from sandmle.play.rollout import Rollout
from sandmle.play.scripted import Scripted
from sandmle.play.settings import Settings
from sandmle.sft.example import example
from sandmle.sft.files import write_rows
from sandmle.train.configuration import load_training
from sandmle.train.dataset import Tasks
from sandmle.train.metrics import read_metrics
from sandmle.train.supervised import load_supervised
from tests.train.extra import needs_train

pytestmark = needs_train

CODE = 'import shutil\nshutil.copy("data/sample_submission.csv", "submission.csv")'
TEXT = f"<think>copy</think><code>{CODE}</code>"

SFT = """\
method: sft
model: {{path: bytes, precision: float32, gradient_checkpointing: false}}
examples: {{files: [{data}], validation: 0}}
optimisation:
  {{epochs: {epochs}, batch: 16, microbatch: 16, learning_rate: 3.0e-3, schedule: constant,
   warmup_steps: 0}}
checkpoints: {{every: 1000}}
"""
GRPO = """\
model: {{path: {model}, precision: float32, gradient_checkpointing: false}}
episode: {{turns: 1, libraries: [], step_seconds: 20}}
generation: {{engine: transformers, prompt_tokens: 64, completion_tokens: 160, turn_tokens: 150}}
optimisation:
  {{steps: {steps}, tasks: 4, rollouts: 8, microbatch: 32, learning_rate: {rate}}}
evaluation: {{every: {steps}}}
checkpoints: {{every: {steps}}}
"""


def test_what_it_says_is_kept_byte_by_byte_and_what_it_is_told_by_signs() -> None:
    from sandmle.train.byte_model import make_byte_tokenizer

    tokenizer = make_byte_tokenizer()
    text = "<think>é exit code 0</think>\n<code>print('submission.csv: not there yet')</code>"
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert len(ids) == len(text.encode())
    assert tokenizer.decode(ids) == text
    told = "<|im_start|>user\nexit code 0 after 0.1 s\nstdout: <think><|im_end|>"
    read = tokenizer.convert_ids_to_tokens(tokenizer(told)["input_ids"])
    assert read == ["<|im_start|>", "exitĠcodeĠ0", "<|im_end|>"]


@pytest.mark.slow
def test_it_learns_to_write_by_sft_and_grpo_goes_on_from_there(
    tasks: Tasks, tmp_path: Path
) -> None:
    """Real text is read by the same reader and run in the real sandbox, and some of it crashes."""
    from sandmle.train.run import train_on
    from sandmle.train.supervised_run import supervise

    write_rows(tmp_path / "data.jsonl", map(example, _scripted(tasks)))
    path = tmp_path / "sft.yaml"
    path.write_text(SFT.format(data=tmp_path / "data.jsonl", epochs=EPOCHS))
    summary = supervise(load_supervised(path), out=tmp_path / "sft")
    losses = summary["train"]
    assert losses["after"]["loss"] < losses["before"]["loss"] / 4

    path.write_text(GRPO.format(model=tmp_path / "sft" / "last", steps=STEPS, rate=RATE))
    train_on(load_training(path), tasks, corpus=tmp_path, out=tmp_path / "run")
    lines = read_metrics(tmp_path / "run" / "metrics.jsonl")
    trained = [line for line in lines if line["split"] == "train"]
    assert len(trained) == STEPS
    assert max(line["valid"] for line in trained) > 0
    assert min(line["valid"] for line in trained) < 1


EPOCHS, STEPS, RATE = 30, 15, "3.0e-4"


def _scripted(tasks: Tasks) -> list[Rollout]:
    """Eight times the same short script on every task, in the real sandbox."""
    call = ToolCall("call_1", "python", {"code": CODE}, in_text=True)
    policy = Scripted("copying", "0" * 64, lambda task: [Turn(TEXT, (call,))])
    found: list[Rollout] = []
    weights = load_weights("paper")
    settings = replace(load_settings(), turns=1)
    episodes = [Episode(task, policy, n) for task in tasks.train for n in range(16)]
    asyncio.run(
        play_episodes(
            episodes,
            lambda number, rollout: found.append(rollout),
            settings=settings,
            weights=weights,
            concurrency=4,
            backend="auto",
            unsafe=False,
        )
    )
    return found


def load_settings() -> Settings:
    from sandmle.train.configuration import Episode as Played

    return Played(turns=1, libraries=()).settings()
