"""A model that writes free text, byte by byte: SFT on scripted rollouts, then GRPO after it."""

from __future__ import annotations

import asyncio
import statistics
from pathlib import Path

import pytest

from sandmle.play.conversation import ToolCall, Turn
from sandmle.play.episode import Episode
from sandmle.play.play import play_episodes
from sandmle.play.reward import load_weights
from sandmle.play.rollout import Rollout
from sandmle.play.scripted import Scripted, digest_of
from sandmle.sft.example import example
from sandmle.sft.files import write_rows
from sandmle.train.configuration import Episode as Played
from sandmle.train.configuration import load_training
from sandmle.train.dataset import Tasks
from sandmle.train.metrics import read_metrics
from sandmle.train.supervised import load_supervised
from tests.train.extra import needs_train

pytestmark = needs_train

#: Four ways to reply, told apart by the first byte that is thought; only the last one may win.
SCRIPTS = {
    "load": 'import json\njson.load(open("data/train.json"))',
    "guess": 'open("submission.csv", "w").write("id,target")',
    "copy": 'import shutil\nshutil.copy("data/sample_submission.csv", "submission.csv")',
    "fit": """\
from pandas import*
from sklearn.linear_model import*
t,u,s=[read_csv(f"data/{f}.csv",index_col=0)for f in("train","test","sample_submission")]
s.to_csv("submission.csv")
for y in s:s[y]=RidgeCV().fit(get_dummies(t[u.columns]),t[y]).predict(get_dummies(u))
s.to_csv("submission.csv")""",
}

SFT = """\
method: sft
seed: {seed}
model: {{path: bytes, precision: float32, gradient_checkpointing: false}}
examples: {{files: [{data}], validation: 0}}
optimisation:
  {{epochs: 300, batch: 16, microbatch: 16, learning_rate: 3.0e-3, schedule: cosine,
   warmup_steps: 0}}
checkpoints: {{every: 1000}}
"""
GRPO = """\
seed: {seed}
model: {{path: {model}, precision: float32, gradient_checkpointing: false}}
episode: {{reward: paper, turns: 1, libraries: [scikit-learn], step_seconds: 20}}
generation: {{engine: transformers, prompt_tokens: 64, completion_tokens: 400, turn_tokens: 390}}
optimisation:
  {{steps: {steps}, tasks: 1, rollouts: 32, microbatch: 32, learning_rate: 1.0e-4,
   adam_epsilon: 1.0e-5}}
evaluation: {{every: {steps}}}
checkpoints: {{every: {steps}}}
"""
STEPS = 25


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
@pytest.mark.parametrize("seed", [0, 1])
def test_grpo_goes_on_from_sft_and_writes_valid_submissions_more_often(
    seed: int, tasks: Tasks, tmp_path: Path
) -> None:
    """What it writes is read by the same reader and run in the real sandbox, slips included."""
    from sandmle.train.run import train_on
    from sandmle.train.supervised_run import supervise

    write_rows(tmp_path / "data.jsonl", map(example, _scripted(tasks)))
    path = tmp_path / "sft.yaml"
    path.write_text(SFT.format(data=tmp_path / "data.jsonl", seed=seed))
    losses = supervise(load_supervised(path), out=tmp_path / "sft")["train"]
    assert losses["after"]["loss"] < losses["before"]["loss"] / 4

    path.write_text(GRPO.format(model=tmp_path / "sft" / "last", steps=STEPS, seed=seed))
    club = tuple(task for task in tasks.train if task.id == "club-form")
    train_on(load_training(path), Tasks(club, club), corpus=tmp_path, out=tmp_path / "run")
    lines = read_metrics(tmp_path / "run" / "metrics.jsonl")
    trained = [line for line in lines if line["split"] == "train"]
    assert len(trained) == STEPS
    valid, reward = (_growth([line[key] for line in trained]) for key in ("valid", "reward"))
    assert valid >= 0.1
    assert reward > 0


def _growth(values: list[float]) -> float:
    """The mean of the last five above that of the first five."""
    return statistics.fmean(values[-5:]) - statistics.fmean(values[:5])


def _scripted(tasks: Tasks) -> list[Rollout]:
    """Every script on every task, in the real sandbox."""
    found: list[Rollout] = []
    episodes = [
        Episode(task, _policy(thought, code), 0)
        for task in tasks.train
        for thought, code in SCRIPTS.items()
    ]
    played = Played(turns=1, libraries=("scikit-learn",)).settings()
    asyncio.run(
        play_episodes(
            episodes,
            lambda number, rollout: found.append(rollout),
            settings=played,
            weights=load_weights("paper"),
            concurrency=4,
            backend="auto",
            unsafe=False,
        )
    )
    return found


def _policy(thought: str, code: str) -> Scripted:
    """Thinks one word and runs one script."""
    call = ToolCall("call_1", "python", {"code": code}, in_text=True)
    turn = Turn(f"<think>{thought}</think><code>{code}</code>", (call,))
    return Scripted(thought, digest_of(code), lambda task: [turn])
