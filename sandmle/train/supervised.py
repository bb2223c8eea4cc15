"""A file of supervised fine-tuning: which conversations are learned, and how.

`training/seed-sft.yaml` explains every key. The key `method` tells these files from those of GRPO.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sandmle.spec.yaml_source import read_source
from sandmle.train.configuration import TINY, Conflict, Model, load_settings
from sandmle.train.schema import bounded

#: The model that is made on the spot and writes byte by byte; see `sandmle.train.byte_model`.
BYTES = "bytes"


@dataclass(frozen=True)
class Examples:
    """Files of `sandmle sft-data`; relative paths begin where the command runs.

    `validation` is the share of tasks whose conversations are held out; conversations of more than
    `tokens` are left out as a whole.
    """

    files: tuple[str, ...]
    validation: float = bounded(0.05, minimum=0, maximum=0.9)
    tokens: int = bounded(40960, minimum=2)


@dataclass(frozen=True)
class Fitting:
    """Supervised fine-tuning by TRL; `batch` conversations make a step."""

    epochs: int = bounded(3, minimum=1)
    batch: int = bounded(16, minimum=1)
    microbatch: int = bounded(1, minimum=1)
    learning_rate: float = bounded(1e-5, exclusiveMinimum=0)
    schedule: Literal["constant", "linear", "cosine"] = "cosine"
    warmup_steps: int = bounded(10, minimum=0)
    weight_decay: float = bounded(0.0, minimum=0)
    gradient_norm: float = bounded(1.0, exclusiveMinimum=0)


@dataclass(frozen=True)
class Saving:
    """Every how many steps the held-out loss is measured and all is saved; `keep` of the last."""

    every: int = bounded(25, minimum=1)
    keep: int = bounded(2, minimum=1)


@dataclass(frozen=True)
class Supervised:
    """A file of supervised fine-tuning. `report` names where metrics go beside metrics.jsonl."""

    method: Literal["sft"]
    model: Model
    examples: Examples
    seed: int = bounded(0, minimum=0)
    optimisation: Fitting = field(default_factory=Fitting)
    checkpoints: Saving = field(default_factory=Saving)
    report: tuple[Literal["tensorboard", "wandb"], ...] = ()


def is_supervised(path: Path) -> bool:
    """Whether a file says by which method it trains. Raises SpecError where it can't be read."""
    data = read_source(path).data
    return isinstance(data, dict) and "method" in data


def load_supervised(path: Path) -> Supervised:
    """Reads such a file. Raises SpecError with every fault at its file, line and column."""
    return load_settings(Supervised, path, conflicts=_conflicts)


def _conflicts(training: Supervised) -> Iterator[Conflict]:
    optimisation = training.optimisation
    if optimisation.batch % optimisation.microbatch:
        yield (
            ("optimisation", "microbatch"),
            f"{optimisation.microbatch} does not divide the {optimisation.batch} conversations of "
            "a batch",
        )
    if not training.examples.files:
        yield ("examples", "files"), "name at least one file of `sandmle sft-data`"
    if training.model.path == TINY:
        message = "the model 'tiny' has whole turns as tokens: no recorded turn is among them"
        yield ("model", "path"), message
    if training.model.path == BYTES and training.model.precision != "float32":
        yield ("model", "precision"), "the model 'bytes' computes in float32"
