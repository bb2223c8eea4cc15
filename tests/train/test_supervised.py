"""Supervised fine-tuning: which tokens are learned, and that a policy would say the same ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sandmle.cli import app
from sandmle.errors import SpecError
from sandmle.play.tools import tool_schemas
from sandmle.resources import resource
from sandmle.sandbox import StepResult
from sandmle.sft.example import example
from sandmle.train.configuration import Training
from sandmle.train.dataset import Tasks
from sandmle.train.metrics import read_metrics
from sandmle.train.pipelines import turn_texts
from sandmle.train.rollouts import Rollouts
from sandmle.train.supervised import Supervised, load_supervised
from sandmle.train.supervised_data import IGNORED, encode, load_examples, read_conversations
from sandmle.train.supervised_plan import supervised_plan
from tests.play.conftest import FakeSandbox, result
from tests.train.examples import Saying, model, speech, tokenizer
from tests.train.extra import needs_train

SHIPPED = resource("training") / "seed-sft.yaml"


def said(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "content": content, "tool_calls": None, "tool_call_id": None}


def row(task: str, *turns: str) -> dict[str, Any]:
    """A conversation in which results of tools stand between turns, by their names."""
    texts = turn_texts()
    messages = [said("user", "Task: binary")]
    for turn in turns:
        heard = "<tool_response>\nexit code 0\n</tool_response>"
        messages += [said("assistant", texts[turn]), said("user", heard)]
    messages = messages[:-1]
    return {
        "messages": messages,
        "loss_mask": [int(message["role"] == "assistant") for message in messages],
        "tools": json.dumps(tool_schemas("test")),
        "task": task,
    }


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


@needs_train
def test_labels_are_on_what_the_policy_said_and_its_end(tmp_path: Path) -> None:
    names = ("sample", "answer")
    written = row("a", *names)
    (conversation,) = read_conversations(write(tmp_path / "x.jsonl", written))
    known = tokenizer()
    found = encode(conversation, known)
    start, end = known.convert_tokens_to_ids(["<|im_start|>", "<|im_end|>"])
    tokens = known.convert_tokens_to_ids([turn_texts()[name] for name in names])
    code = known.convert_tokens_to_ids("exit code 0")
    # the turns, and between them the end of no turn, the result and the start of the next turn
    tail = [tokens[0], end, start, code, end, start, tokens[1], end]
    assert list(found.ids[-8:]) == tail
    learned = [tokens[0], end, IGNORED, IGNORED, IGNORED, IGNORED, tokens[1], end]
    assert list(found.labels[-8:]) == learned
    assert set(found.labels[:-8]) == {IGNORED}
    (first_only,) = read_conversations(
        write(tmp_path / "y.jsonl", written | {"loss_mask": [0, 1, 0, 0]})
    )
    assert list(encode(first_only, known).labels[-2:]) == [IGNORED, IGNORED]


@needs_train
def test_tokens_are_those_of_the_player(
    tasks: Tasks, small: Callable[..., Training], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_code(code: str) -> StepResult:
        return result()

    async def opening(public: Path, **_: object) -> FakeSandbox:
        return FakeSandbox(run_code)

    monkeypatch.setattr("sandmle.play.play.open_sandbox", opening)
    training = small()
    training = replace(
        training,
        episode=replace(training.episode, turns=4),
        generation=replace(training.generation, turn_tokens=2),
    )
    first = tasks.train[0]
    saying = Saying("sample", "score", "answer")
    rollouts = Rollouts(
        training=training,
        tasks={first.id: first},
        speech=speech(),
        generator=lambda trainer: saying,
        digest="0" * 64,
        folder=tmp_path,
    )
    batch = rollouts.play([first.id], saying, step=1, split="train")
    (player,) = batch.players
    (conversation,) = read_conversations(write(tmp_path / "x.jsonl", example(batch.rollouts[0])))
    found = encode(conversation, tokenizer())
    assert list(found.ids) == player.prompt + player.completion
    mask = [int(label != IGNORED) for label in found.labels]
    assert mask == [0] * len(player.prompt) + player.mask
    assert len(player.mask) > sum(player.mask) == 6


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"loss_mask": [0, 1]}, "x.jsonl:2: loss_mask: expected a 0 or 1 for each message"),
        ({"loss_mask": [1, 1, 0, 1]}, "x.jsonl:2: loss_mask: expected a 1 for turns of the"),
        ({"messages": []}, "x.jsonl:2: messages: expected a list that is not empty"),
        ({"tools": "["}, "x.jsonl:2: tools: expected a list of JSON Schema"),
        ({"task": None}, "x.jsonl:2: task: expected the id of a task"),
    ],
)
def test_bad_rows_are_named(change: dict[str, Any], expected: str, tmp_path: Path) -> None:
    good = row("a", "sample", "answer")
    path = write(tmp_path / "x.jsonl", good, good | change)
    with pytest.raises(ValueError, match=r"x\.jsonl:2: ") as caught:
        list(read_conversations(path))
    assert expected in str(caught.value)


def test_bad_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("{\n")
    with pytest.raises(ValueError, match=r"x\.jsonl:1: expected JSON"):
        list(read_conversations(path))
    with pytest.raises(ValueError, match=r"x\.csv: expected a file of `sandmle sft-data`"):
        list(read_conversations(tmp_path / "x.csv"))


def test_a_wrong_file_is_refused_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "method: sft\nmodel: {path: x}\nexamples: {files: [a.jsonl]}\noptimisation: {epoch: 3}\n"
    )
    with pytest.raises(SpecError) as caught:
        load_supervised(path)
    (problem,) = caught.value.problems
    assert (problem.line, problem.where) == (4, "optimisation.epoch")
    assert "did you mean 'epochs'?" in problem.message
    path.write_text(
        "method: sft\nmodel: {path: tiny}\nexamples: {files: []}\n"
        "optimisation: {batch: 3, microbatch: 2}\n"
    )
    with pytest.raises(SpecError) as caught:
        load_supervised(path)
    assert [(problem.line, problem.where) for problem in caught.value.problems] == [
        (2, "model.path"),
        (3, "examples.files"),
        (4, "optimisation.microbatch"),
    ]


def test_the_shipped_file_explains_every_key_and_has_the_defaults() -> None:
    training, text = load_supervised(SHIPPED), SHIPPED.read_text()
    plain = Supervised(method="sft", model=training.model, examples=training.examples)
    assert training == plain
    for key in ("epochs", "batch", "microbatch", "learning_rate", "files", "tokens", "keep"):
        assert f"\n  {key}: " in text


def test_its_plan_names_the_files_that_are_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["train", str(SHIPPED), "--dry-run", "--processes", "8", "--out", str(tmp_path / "x")]
    )
    assert result.exit_code == 2
    assert "TRL's SFTConfig:" in result.output
    assert "16 conversations a step = 8 processes x 2 x 1" in result.output
    assert "FAULT data: " in result.output
    assert "teacher" in result.output


@pytest.fixture
def ready(tmp_path: Path) -> Supervised:
    """A small model in a folder, and a file of twelve conversations on six tasks."""
    folder = tmp_path / "tiny-model"
    model().save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    rows = [row(f"task-{n % 6}", "sample", "answer") for n in range(12)]
    path = tmp_path / "training.yaml"
    path.write_text(
        "method: sft\n"
        f"model: {{path: {folder}, precision: float32, gradient_checkpointing: false}}\n"
        f"examples: {{files: [{write(tmp_path / 'x.jsonl', *rows)}], validation: 0.34}}\n"
        "optimisation: {epochs: 4, batch: 4, microbatch: 2, learning_rate: 5.0e-3, "
        "warmup_steps: 0}\ncheckpoints: {every: 2}\n"
    )
    return load_supervised(path)


def lines_of(run: Path) -> list[dict[str, Any]]:
    lines = read_metrics(run / "metrics.jsonl")
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


@needs_train
def test_tasks_are_held_out_as_a_whole_and_long_ones_left_out(ready: Supervised) -> None:
    split = load_examples(ready.examples, tokenizer(), seed=0)
    learned, held_out = ({one.task for one in part} for part in (split.train, split.validation))
    assert (len(split.train), len(split.validation), len(learned & held_out)) == (8, 4, 0)
    with pytest.raises(ValueError, match="no conversation to learn from: 12 are longer than 2"):
        load_examples(replace(ready.examples, tokens=2), tokenizer(), seed=0)


@needs_train
def test_the_plan_counts_tokens(ready: Supervised, tmp_path: Path) -> None:
    plan = supervised_plan(ready, out=tmp_path / "run")
    assert not plan.faults
    (data,) = (check.found for check in plan.checks if check.name == "data")
    assert data.startswith("8 conversations of ")
    assert "32 of them learned, in 8 steps; 4 held out, 0 too long" in data


@needs_train
def test_it_learns_and_a_resumed_run_equals_one_that_was_not_interrupted(
    ready: Supervised, tmp_path: Path
) -> None:
    import torch
    from safetensors.torch import load_file

    from sandmle.train.supervised_run import supervise

    whole, broken = tmp_path / "whole", tmp_path / "broken"
    summary = supervise(ready, out=whole)
    assert summary["validation"]["after"]["loss"] < summary["validation"]["before"]["loss"] / 2
    trained = [line for line in lines_of(whole) if line["split"] == "train"]
    assert [line["step"] for line in trained] == list(range(1, 9))
    assert all(line["gradient_norm"] > 0 and line["learning_rate"] >= 0 for line in trained)

    class KilledError(Exception):
        pass

    def kill(line: Any) -> None:
        if line["step"] == 3:
            raise KilledError

    with pytest.raises(KilledError):
        supervise(ready, out=broken, progress=kill)
    assert supervise(ready, out=broken, resume=True) == summary
    assert lines_of(broken) == lines_of(whole)
    one, other = (load_file(run / "last" / "model.safetensors") for run in (whole, broken))
    assert all(torch.equal(one[name], other[name]) for name in one)


@needs_train
def test_adapters_are_merged_into_the_model_at_the_end(ready: Supervised, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    from sandmle.train.configuration import Lora
    from sandmle.train.supervised_run import supervise

    training = replace(ready, model=replace(ready.model, lora=Lora(rank=2)))
    supervise(training, out=tmp_path / "run")
    names = {path.name for path in (tmp_path / "run" / "last").iterdir()}
    assert {"model.safetensors", "tokenizer.json"} <= names
    assert "adapter_config.json" not in names
    found = AutoModelForCausalLM.from_pretrained(tmp_path / "run" / "last")
    before = dict(model().named_parameters())
    moved = [name for name, value in found.named_parameters() if (value != before[name]).any()]
    assert moved
    assert all("proj" in name for name in moved)
