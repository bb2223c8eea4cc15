"""A training file: what is trained on what, and how. Strict: no key is ignored, no value guessed.

`training/tiny.yaml` explains every key that is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

import jsonschema

from sandmle.errors import SpecError
from sandmle.play.reward import load_weights, presets
from sandmle.play.settings import ScoreMode, Settings
from sandmle.resources import resource
from sandmle.sandbox.libraries import DEFAULT
from sandmle.sandbox.limits import MEBIBYTE, Limits
from sandmle.spec.messages import schema_problems
from sandmle.spec.yaml_source import DataPath, read_source
from sandmle.train.schema import bounded, from_plain, schema_of

#: The model that is made on the spot; see `sandmle.train.embedded`.
TINY = "tiny"

#: The path of a key, and what is wrong with its value beside others.
Conflict = tuple[DataPath, str]

Settled = TypeVar("Settled")


@dataclass(frozen=True)
class Lora:
    """Low-rank adapters instead of all weights (Hu et al. 2021, as peft implements it)."""

    rank: int = bounded(16, minimum=1)
    alpha: int = bounded(32, minimum=1)
    dropout: float = bounded(0.0, minimum=0, maximum=0.9)
    modules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Model:
    """The policy's model: `tiny`, a folder, or a name on the Hugging Face hub.

    With `bfloat16` it computes in that, while weights and optimiser stay in float32: at 1e-6,
    bfloat16 weights would round most updates away. Under adapters the frozen weights are bfloat16.
    """

    path: str
    precision: Literal["float32", "bfloat16"] = "bfloat16"
    gradient_checkpointing: bool = True
    lora: Lora | None = None


@dataclass(frozen=True)
class Data:
    """Which tasks of the corpus; an empty list keeps all.

    `validation` is the share of them held out where the corpus itself holds out none. `solve_rates`
    is a run of `sandmle eval` whose rates the order `solve_rate` begins with.
    """

    ids: tuple[str, ...] = ()
    modalities: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    validation: float = bounded(0.1, minimum=0, maximum=0.9)
    order: Literal["shuffled", "easiest_first", "solve_rate"] = "shuffled"
    solve_rates: str | None = None


@dataclass(frozen=True)
class Episode:
    """What an episode is played under, and what it is worth."""

    reward: str = "paper"
    score: ScoreMode = "test"
    turns: int = bounded(20, minimum=1)
    seconds: float = bounded(1800.0, exclusiveMinimum=0)
    step_seconds: float = bounded(120.0, exclusiveMinimum=0)
    step_mebibytes: int = bounded(2048, minimum=64)
    output_characters: int = bounded(4000, minimum=1)
    masked: tuple[Literal["time_limit", "token_limit", "turn_limit"], ...] = ("time_limit",)
    libraries: tuple[str, ...] = DEFAULT

    def settings(self) -> Settings:
        """The same as the environment takes it."""
        return Settings(
            score=self.score,
            turns=self.turns,
            seconds=self.seconds,
            output_characters=self.output_characters,
            step=Limits(
                wall_seconds=self.step_seconds, memory_bytes=self.step_mebibytes * MEBIBYTE
            ),
            libraries=self.libraries,
        )


@dataclass(frozen=True)
class Sandbox:
    """Where code runs."""

    backend: str = "auto"
    unsafe: bool = False


@dataclass(frozen=True)
class Generation:
    """How the policy's tokens are sampled, and how many of them there may be.

    `completion_tokens` counts all that follows the prompt, observations too.
    """

    engine: Literal["transformers", "vllm_colocate", "vllm_server"] = "vllm_colocate"
    server: str | None = None
    memory_share: float = bounded(0.7, exclusiveMinimum=0, maximum=1)
    temperature: float = bounded(1.0, exclusiveMinimum=0)
    prompt_tokens: int = bounded(8192, minimum=1)
    completion_tokens: int = bounded(32768, minimum=1)
    turn_tokens: int = bounded(4096, minimum=1)


@dataclass(frozen=True)
class Optimisation:
    """GRPO (Shao et al. 2024) with its clipping raised above (Yu et al. 2025), by TRL."""

    steps: int = bounded(80, minimum=1)
    tasks: int = bounded(16, minimum=1)
    rollouts: int = bounded(4, minimum=2)
    resample: int = bounded(0, minimum=0)
    microbatch: int = bounded(1, minimum=1)
    learning_rate: float = bounded(1e-6, exclusiveMinimum=0)
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    warmup_steps: int = bounded(0, minimum=0)
    weight_decay: float = bounded(0.0, minimum=0)
    adam_epsilon: float = bounded(1e-8, exclusiveMinimum=0)
    gradient_norm: float = bounded(1.0, exclusiveMinimum=0)
    loss: Literal["grpo", "dr_grpo", "dapo", "bnpo"] = "grpo"
    clip_low: float = bounded(0.2, exclusiveMinimum=0, maximum=1)
    clip_high: float = bounded(0.28, exclusiveMinimum=0)
    kl: float = bounded(0.0, minimum=0)
    entropy: float = bounded(0.0, minimum=0)


@dataclass(frozen=True)
class Evaluation:
    """How often the validation tasks are played, by how many episodes each."""

    every: int = bounded(5, minimum=1)
    attempts: int = bounded(1, minimum=1)


@dataclass(frozen=True)
class Checkpoints:
    """How often all is saved, and how many of the last are kept beside the best."""

    every: int = bounded(5, minimum=1)
    keep: int = bounded(2, minimum=1)


@dataclass(frozen=True)
class Training:
    """A training file. `report` names where metrics go beside metrics.jsonl."""

    model: Model
    seed: int = bounded(0, minimum=0)
    data: Data = field(default_factory=Data)
    episode: Episode = field(default_factory=Episode)
    sandbox: Sandbox = field(default_factory=Sandbox)
    generation: Generation = field(default_factory=Generation)
    optimisation: Optimisation = field(default_factory=Optimisation)
    evaluation: Evaluation = field(default_factory=Evaluation)
    checkpoints: Checkpoints = field(default_factory=Checkpoints)
    report: tuple[Literal["tensorboard", "wandb"], ...] = ()

    @property
    def sequences(self) -> int:
        """How many rollouts a step learns from."""
        return self.optimisation.tasks * self.optimisation.rollouts


def training_file(given: Path) -> Path:
    """The file itself, or the shipped one of that name."""
    shipped = resource("training") / f"{given}.yaml"
    return shipped if not given.exists() and shipped.is_file() else given


def load_training(path: Path) -> Training:
    """Reads a training file. Raises SpecError with every fault at its file, line and column."""
    return load_settings(Training, path, conflicts=conflicts)


def load_settings(
    kind: type[Settled], path: Path, *, conflicts: Callable[[Settled], Iterable[Conflict]]
) -> Settled:
    """Reads a file of settings as a dataclass. Raises SpecError as `load_training` does."""
    source = read_source(path)
    problems = list(source.problems)
    if not problems:
        errors = jsonschema.Draft202012Validator(schema_of(kind)).iter_errors(source.data)
        problems = [found for error in errors for found in schema_problems(source, error)]
    if problems:
        raise SpecError(problems)
    settings = from_plain(kind, source.data)
    problems = [source.at_value(*conflict) for conflict in conflicts(settings)]
    if problems:
        raise SpecError(problems)
    return settings


def conflicts(training: Training) -> Iterator[Conflict]:
    """Settings that don't go together, each with the path of a key that would mend it."""
    generation, optimisation = training.generation, training.optimisation
    if training.sequences % optimisation.microbatch:
        yield (
            ("optimisation", "microbatch"),
            f"{optimisation.tasks} tasks of {optimisation.rollouts} rollouts are "
            f"{training.sequences} sequences, which {optimisation.microbatch} does not divide",
        )
    if generation.turn_tokens > generation.completion_tokens:
        yield (
            ("generation", "turn_tokens"),
            f"a turn's {generation.turn_tokens} tokens are more than the "
            f"{generation.completion_tokens} of completion_tokens",
        )
    if (generation.engine == "vllm_server") != (generation.server is not None):
        message = "the engine vllm_server needs the server's URL, and no other engine takes one"
        yield ("generation", "server"), message
    if training.data.solve_rates is not None and training.data.order != "solve_rate":
        message = f"rates are for the order solve_rate, which {training.data.order} is not"
        yield ("data", "solve_rates"), message
    if training.evaluation.every % training.checkpoints.every:
        yield (
            ("evaluation", "every"),
            f"must be a multiple of checkpoints.every, {training.checkpoints.every}: the best "
            "checkpoint is one of those that were evaluated",
        )
    if optimisation.steps % training.evaluation.every:
        yield (
            ("optimisation", "steps"),
            f"must be a multiple of evaluation.every, {training.evaluation.every}: the last step "
            "is evaluated too",
        )
    if training.model.path == TINY:
        yield from _tiny_conflicts(training)
    reward = training.episode.reward
    if reward not in presets() and not Path(reward).is_file():
        message = f"no reward {reward!r}: give a YAML file or one of {', '.join(presets())}"
        yield ("episode", "reward"), message
    else:
        load_weights(reward)


def _tiny_conflicts(training: Training) -> Iterator[tuple[DataPath, str]]:
    """What the model that is made on the spot does not go with."""
    if training.model.precision != "float32":
        yield ("model", "precision"), "the model 'tiny' computes in float32"
    if training.model.lora is not None:
        yield ("model", "lora"), "the model 'tiny' learns with all its weights"
    if training.generation.engine != "transformers":
        yield ("generation", "engine"), "the model 'tiny' speaks through transformers"
