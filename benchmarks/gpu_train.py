"""Trains a Qwen3 of random weights for some steps, and tells what a step takes: time and memory.

    python -m venv env
    env/bin/pip install torch==2.13.0
    env/bin/pip install '.[train]'          # in a checkout; both before, where there is no network
    env/bin/python benchmarks/gpu_train.py --size 0.6 --steps 20

Needs no download, no vLLM and no key: weights are drawn, the tokenizer is learned from the tasks'
own texts, and the tasks are built here. Without a GPU (or with --device cpu) a tiny model takes the
same way for a few steps, in about a minute. The training is that of `sandmle train`: the same
rollouts, in bfloat16 with gradient checkpointing, generation by transformers.

It measures mechanics, not learning. What random weights say is junk, which goes on for --tokens in
every turn; so each turn is then ended by one of the embedded policy's pipelines, drawn by chance
and not by the model. Numbers of tokens are thus known beforehand, sandboxes and graders have as
much to do as in a real training, and rewards differ. Prints a table and, as its last line, a JSON
object.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from sandmle.bench.shipped import build_shipped
from sandmle.play.conversation import Message
from sandmle.play.prompts import opening_messages
from sandmle.play.tools import tool_schemas
from sandmle.train.configuration import (
    Checkpoints,
    Episode,
    Evaluation,
    Generation,
    Model,
    Optimisation,
    Sandbox,
    Training,
    conflicts,
)
from sandmle.train.dataset import Tasks
from sandmle.train.files import METRICS_FILE
from sandmle.train.generation import Generator, Request, Sampled
from sandmle.train.memory import GIBIBYTE, estimate_memory
from sandmle.train.metrics import read_metrics
from sandmle.train.needs import missing
from sandmle.train.pipelines import pipeline_names, turn_texts
from sandmle.train.speech import Speech

#: Small shipped tasks of four modalities.
TASKS = ("alloy-strength", "bat-survey", "bridge-fatigue", "gear-listening")
SPECIAL = PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
PARTS = ("generate", "sandbox", "score", "update", "step")


@dataclass(frozen=True)
class Size:
    """The shape of a Qwen3."""

    hidden: int
    layers: int
    heads: int
    intermediate: int
    vocabulary: int
    head: int = 128


#: By billions of parameters, with Qwen3's own vocabulary; 0.6 has the shape of Qwen3-0.6B.
SIZES = {
    "tiny": Size(64, 2, 4, 128, 4608, head=16),
    "0.1": Size(512, 8, 8, 1536, 151_936),
    "0.3": Size(768, 20, 12, 2304, 151_936),
    "0.6": Size(1024, 28, 16, 3072, 151_936),
}

GPU_DEFAULTS = {"size": "0.6", "steps": 20, "tasks": 4, "rollouts": 8}
CPU_DEFAULTS = {"size": "tiny", "steps": 3, "tasks": 2, "rollouts": 2}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", choices=SIZES, help="billions of parameters; 0.6, on a CPU tiny")
    parser.add_argument("--steps", type=int, help="20, on a CPU 3")
    parser.add_argument("--device", choices=("cuda", "cpu"), help="cuda where there is one")
    parser.add_argument("--tasks", type=int, choices=(1, 2, 3, 4), help="of a step: 4, on a CPU 2")
    parser.add_argument("--rollouts", type=int, help="of a task: 8, on a CPU 2")
    parser.add_argument("--microbatch", type=int, default=4, help="sequences computed at a time")
    parser.add_argument("--turns", type=int, default=2, help="of an episode")
    parser.add_argument("--tokens", type=int, default=128, help="that the model says in a turn")
    arguments = parser.parse_args()
    lacking = missing(Training(Model("random"), generation=Generation(engine="transformers")))
    if lacking:
        raise SystemExit(lacking)
    is_cuda = choose_device(arguments.device)
    for name, default in (GPU_DEFAULTS if is_cuda else CPU_DEFAULTS).items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, default)
    with tempfile.TemporaryDirectory(prefix="sandmle-") as name:
        found = measure(arguments, Path(name), is_cuda=is_cuda)
    for line in table(found):
        print(line)
    print(json.dumps(found))


def choose_device(wanted: str | None) -> bool:
    """Whether a GPU is used. Raises SystemExit where one is wanted and PyTorch finds none."""
    if wanted == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  # before torch looks for one
    import torch

    is_cuda: bool = torch.cuda.is_available()
    if wanted == "cuda" and not is_cuda:
        raise SystemExit("there is no CUDA device that PyTorch could use")
    return is_cuda


def measure(arguments: argparse.Namespace, folder: Path, *, is_cuda: bool) -> dict[str, Any]:
    """Trains, and returns what was measured, as plain data; all files lie below `folder`."""
    import torch

    from sandmle.train.run import build_trainer, quiet

    folder.chmod(0o755)  # sandboxes are other users
    tasks = tuple(build_shipped(name, folder / "tasks") for name in TASKS[: arguments.tasks])
    # No more is printed than fits beside the tokens of a turn.
    episode = Episode(turns=arguments.turns, output_characters=1000, libraries=("scikit-learn",))
    openings = [opening_messages(task, episode.settings()) for task in tasks]
    model = folder / f"Qwen3-{arguments.size}"
    speech, calls = write_model(model, SIZES[arguments.size], openings, tool_schemas(episode.score))
    training = training_of(
        arguments,
        model,
        episode,
        prompt=max(len(speech.opening(messages)) for messages in openings),
        turn=arguments.tokens + max(map(len, calls)),
        is_cuda=is_cuda,
    )
    out = folder / "run"
    counted: dict[int, Counter[str]] = {}
    with quiet():
        trainer = build_trainer(
            training,
            Tasks(train=tasks, validation=tasks[:1]),
            corpus=folder,
            out=out,
            begins=False,
            progress=tell,
        )
        rollouts = trainer.rollout_func
        generator = rollouts.generator

        def calling(trainer: Any) -> Calling:
            counts = counted.setdefault(trainer.state.global_step + 1, Counter())
            return Calling(generator(trainer), calls, arguments.tokens, counts)

        rollouts.generator = calling
        trainer.train()
    return {
        "device": torch.cuda.get_device_name() if is_cuda else "cpu",
        "torch": torch.__version__,
        "dtype": training.model.precision,
        "size": arguments.size,
        "steps": arguments.steps,
        "sequences": training.sequences,
        **speed(out, counted),
        **memory(training),
    }


def tell(line: Mapping[str, Any]) -> None:
    """Says how far it is."""
    print(f"{line['split']} step {line['step']}: reward {line['reward']:.2f}", flush=True)


@dataclass(frozen=True)
class Calling:
    """Samples `tokens` of each turn by another generator, and ends it by one of the `calls`.

    Which one follows from the request's seed. `counts` are of what the other one read and said.
    """

    generator: Generator
    calls: Sequence[tuple[int, ...]]
    tokens: int
    counts: Counter[str]

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        """See `Generator`; the log-probabilities of the calls are not known."""
        short = [replace(request, limit=min(request.limit, self.tokens)) for request in requests]
        said = self.generator.sample(short)
        self.counts["prompt"] += sum(len(request.ids) for request in requests)
        self.counts["completion"] += sum(len(sampled.ids) for sampled in said)
        return [self._ended(*pair) for pair in zip(requests, said, strict=True)]

    def _ended(self, request: Request, sampled: Sampled) -> Sampled:
        call = random.Random(request.seed).choice(self.calls)
        unknown = (float("nan"),) * len(call)
        return Sampled(
            (*sampled.ids, *call)[: request.limit], (*sampled.logprobs, *unknown)[: request.limit]
        )


def write_model(
    folder: Path,
    size: Size,
    openings: Sequence[Sequence[Message]],
    tools: Sequence[dict[str, Any]],
) -> tuple[Speech, list[tuple[int, ...]]]:
    """Saves a Qwen3 of random weights; what speaks with it, and the tokens of the pipelines' calls.

    The model has more tokens than its tokenizer knows; the others are silent.
    """
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    turns = turn_texts()
    texts = [message.content for messages in openings for message in messages]
    tokenizer = make_tokenizer([*texts, *turns.values()])
    tokenizer.save_pretrained(folder)
    configuration = Qwen3Config(
        vocab_size=size.vocabulary,
        hidden_size=size.hidden,
        intermediate_size=size.intermediate,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.heads // 2,
        head_dim=size.head,
        max_position_embeddings=40_960,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    torch.manual_seed(0)
    Qwen3ForCausalLM(configuration).save_pretrained(folder)
    calls = [tuple(tokenizer(turns[name] + END)["input_ids"]) for name in pipeline_names()]
    return Speech(tokenizer, tools), calls


def make_tokenizer(texts: Sequence[str]) -> Any:
    """A byte-level BPE tokenizer of 4096 tokens with Qwen3's chat template, learned from texts."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast
    from trl.chat_template_utils import qwen3_chat_template

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    learning = trainers.BpeTrainer(
        vocab_size=4096,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    inner.train_from_iterator(texts, learning)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token=PAD, eos_token=END, padding_side="left"
    )
    tokenizer.chat_template = qwen3_chat_template
    return tokenizer


def training_of(
    arguments: argparse.Namespace,
    model: Path,
    episode: Episode,
    *,
    prompt: int,
    turn: int,
    is_cuda: bool,
) -> Training:
    """The training, with room for so many tokens of an opening and of a turn.

    Raises SystemExit where the command line asks for what does not go together.
    """
    heard = episode.output_characters  # at the most: a token is a character or more
    training = Training(
        model=Model(path=str(model), precision="bfloat16" if is_cuda else "float32"),
        episode=episode,
        sandbox=Sandbox(unsafe=True),  # what runs is shipped with this project
        generation=Generation(
            engine="transformers",
            prompt_tokens=prompt,
            completion_tokens=arguments.turns * (turn + heard),
            turn_tokens=turn,
        ),
        optimisation=Optimisation(
            steps=arguments.steps,
            tasks=arguments.tasks,
            rollouts=arguments.rollouts,
            microbatch=arguments.microbatch,
        ),
        evaluation=Evaluation(every=arguments.steps),
        checkpoints=Checkpoints(every=arguments.steps, keep=1),
    )
    for path, message in conflicts(training):
        raise SystemExit(f"{'.'.join(map(str, path))}: {message}")
    return training


def speed(out: Path, counted: Mapping[int, Counter[str]]) -> dict[str, Any]:
    """Tokens a second of generation, and the median seconds of a step by part.

    The first of several steps is left out: much is done in it once. Prompt tokens are those that
    the model read: the whole conversation in every turn.
    """
    lines = [line for line in read_metrics(out / METRICS_FILE) if line["split"] == "train"]
    later = lines[1:] or lines
    generating = sum(line["seconds"]["generate"] for line in later)
    tokens = sum((counted[line["step"]] for line in later), Counter())
    return {
        "prompt_tokens_per_s": round(tokens["prompt"] / generating),
        "completion_tokens_per_s": round(tokens["completion"] / generating),
        "seconds": {
            part: round(median(line["seconds"][part] for line in later), 3) for part in PARTS
        },
    }


def memory(training: Training) -> dict[str, Any]:
    """The most memory that PyTorch held on the GPU, beside the estimate, in GiB."""
    import torch

    estimate = estimate_memory(training, processes=1)
    assert estimate is not None  # the weights are there to be counted
    peak = torch.cuda.max_memory_allocated() if torch.cuda.is_available() else None
    return {
        "parameters": estimate.parameters,
        "peak_gib": None if peak is None else round(peak / GIBIBYTE, 2),
        "estimated_gib": {
            "states": round(estimate.states / GIBIBYTE, 2),
            "logits": round(estimate.logits / GIBIBYTE, 2),
        },
    }


def table(found: Mapping[str, Any]) -> Iterator[str]:
    """What was measured, for people."""
    yield (
        f"\nQwen3 of {found['parameters'] / 1e6:.1f} million random weights, {found['dtype']}, on "
        f"{found['device']}, torch {found['torch']}"
    )
    yield f"{found['steps']} steps of {found['sequences']} sequences, seconds of one (median):"
    for part, seconds in found["seconds"].items():
        yield f"  {part:9}{seconds:9.2f}"
    yield (
        f"generation: {found['prompt_tokens_per_s']} prompt tokens/s read, "
        f"{found['completion_tokens_per_s']} tokens/s sampled"
    )
    estimated = found["estimated_gib"]
    peak = "-, there is no GPU" if found["peak_gib"] is None else f"{found['peak_gib']} GiB"
    yield (
        f"memory: {peak}; estimated {estimated['states']} GiB for weights, gradients and "
        f"optimiser, {estimated['logits']} GiB for logits\n"
    )


if __name__ == "__main__":
    main()
