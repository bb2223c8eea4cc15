"""What a supervised fine-tuning is going to do, checked without loading a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sandmle.train.memory import estimate
from sandmle.train.needs import missing_packages
from sandmle.train.plan import Plan, check, find_folder, find_model, installed
from sandmle.train.supervised import BYTES, Supervised
from sandmle.train.supervised_data import load_examples, read_conversations
from sandmle.train.supervised_run import sft_arguments, steps_of


def supervised_plan(training: Supervised, *, out: Path, processes: int = 1) -> Plan:
    """Resolves a file for so many processes, and checks all that it needs."""
    optimisation = training.optimisation
    arguments: dict[str, Any] = {}

    def resolve() -> str:
        held_out = training.examples.validation > 0
        arguments.update(sft_arguments(training, out, processes=processes, held_out=held_out))
        accumulation = arguments["gradient_accumulation_steps"]
        return (
            f"{optimisation.batch} conversations a step = {processes} processes x {accumulation} x "
            f"{optimisation.microbatch}"
        )

    checks = (
        check("batch", resolve),
        check("installed", lambda: installed(missing_packages(training.report))),
        check("data", lambda: _tell_examples(training)),
        check("model", lambda: _find_model(training.model.path)),
        check("folder", lambda: find_folder(out)),
    )
    return Plan(
        batch={
            "conversations": optimisation.batch,
            "processes": processes,
            "microbatch": optimisation.microbatch,
            "accumulation": arguments.get("gradient_accumulation_steps", 0),
        },
        arguments=arguments,
        memory=estimate(
            training.model,
            tokens=training.examples.tokens,
            microbatch=optimisation.microbatch,
            processes=processes,
        ),
        checks=checks,
        trainer="SFTConfig",
    )


def _find_model(path: str) -> str:
    return "made on the spot" if path == BYTES else find_model(path)


def _tell_examples(training: Supervised) -> str:
    """What the files hold: in tokens where the model is a folder here, else in conversations."""
    path = training.model.path
    if missing_packages(()) or not (Path(path) / "tokenizer_config.json").is_file():
        rows = sum(1 for name in training.examples.files for _ in read_conversations(Path(name)))
        return (
            f"{rows} conversations; not counted in tokens, as the tokenizer of {path} is not here"
        )
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(path)
    split = load_examples(training.examples, tokenizer, seed=training.seed)
    learned = sum(label >= 0 for one in split.train for label in one.labels)
    tokens = sum(len(one.ids) for one in split.train)
    return (
        f"{len(split.train)} conversations of {tokens:,} tokens, {learned:,} of them learned, in "
        f"{steps_of(training, len(split.train))} steps; {len(split.validation)} held out, "
        f"{split.too_long} too long"
    )
