"""How much memory a training takes, estimated from the size of its model."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

from sandmle.train.configuration import TINY, Model, Training

GIBIBYTE = 2**30

#: Bytes a trained parameter takes: weight, gradient and Adam's two moments in float32.
TRAINED_BYTES = 4 + 4 + 8
#: Bytes of a parameter that only computes, in bfloat16.
FROZEN_BYTES = 2


@dataclass(frozen=True)
class Memory:
    """Bytes on one GPU: `states` of all that is trained, spread over processes, `generation` of
    vLLM beside it, `logits` of the widest layer for one microbatch at its longest."""

    parameters: int
    states: int
    generation: int
    logits: int

    def lines(self) -> list[str]:
        """For people."""
        return [
            f"{self.parameters / 1e9:.2f} billion parameters",
            f"{self.states / GIBIBYTE:.1f} GiB: weights, gradients, optimiser (spread by FSDP)",
            f"{self.generation / GIBIBYTE:.1f} GiB: weights of vLLM beside it, without its cache",
            f"{self.logits / GIBIBYTE:.1f} GiB: logits of a microbatch if they were kept whole "
            "(TRL computes them in tiles)",
        ]


def estimate_memory(training: Training, *, processes: int) -> Memory | None:
    """An estimate for one of so many processes, None where the model's size is not known.

    Activations are left out: with checkpointing they are small beside the states.
    """
    generation = training.generation
    return estimate(
        training.model,
        tokens=generation.prompt_tokens + generation.completion_tokens,
        microbatch=training.optimisation.microbatch,
        processes=processes,
        beside=generation.engine == "vllm_colocate",
    )


def estimate(
    model: Model, *, tokens: int, microbatch: int, processes: int, beside: bool = False
) -> Memory | None:
    """The same for `microbatch` sequences of `tokens` each; `beside` says whether vLLM is there."""
    parameters = count_parameters(model.path)
    if parameters is None:
        return None
    if model.lora is not None:
        states = FROZEN_BYTES * parameters
    else:
        states = TRAINED_BYTES * parameters // processes
    return Memory(
        parameters=parameters,
        states=states,
        generation=FROZEN_BYTES * parameters if beside else 0,
        logits=4 * _vocabulary(model.path) * tokens * microbatch,
    )


def count_parameters(path: str) -> int | None:
    """How many parameters a model has: by its safetensors files, or by its name (Qwen3-8B)."""
    if path == TINY:
        return 90_000
    files = sorted(Path(path).glob("model*.safetensors"))
    if files:
        return sum(map(_stored, files))
    named = re.search(r"(\d+(?:\.\d+)?)B(?![a-z])", Path(path).name)
    return round(float(named[1]) * 1e9) if named else None


def _stored(path: Path) -> int:
    """The parameters of a safetensors file, by its header (huggingface.co/docs/safetensors)."""
    with path.open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return sum(
        math.prod(tensor["shape"]) for name, tensor in header.items() if name != "__metadata__"
    )


def _vocabulary(path: str) -> int:
    """The size of the vocabulary; Qwen3's where it cannot be looked up."""
    if path == TINY:
        return 128
    config = Path(path) / "config.json"
    if config.is_file():
        return int(json.loads(config.read_text(encoding="utf-8"))["vocab_size"])
    return 151_936
