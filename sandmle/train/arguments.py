"""What a training file means to TRL: the arguments of its GRPOTrainer, and the batch arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle.train.configuration import TINY, Training
from sandmle.train.supervised import Supervised


@dataclass(frozen=True)
class Arithmetic:
    """How the sequences of a step are spread over processes: all counts are for one step."""

    sequences: int
    processes: int
    microbatch: int
    accumulation: int


def arithmetic(training: Training, processes: int) -> Arithmetic:
    """The batch arithmetic for so many processes.

    Raises ValueError where a step can't be spread evenly, or would tear a group of rollouts apart.
    """
    optimisation, sequences = training.optimisation, training.sequences
    tasks, micro = optimisation.tasks, optimisation.microbatch
    if tasks % processes:
        raise ValueError(
            f"optimisation.tasks: {tasks} tasks a step can't be spread over {processes} processes: "
            "the rollouts of one task are played by one process"
        )
    each = sequences // processes
    if each % micro:
        raise ValueError(
            f"optimisation.microbatch: {micro} does not divide the {each} sequences that each of "
            f"{processes} processes gets"
        )
    return Arithmetic(sequences, processes, micro, each // micro)


def trl_arguments(training: Training, out: Path, *, processes: int) -> dict[str, Any]:
    """The arguments of `trl.GRPOConfig`; whatever is not among them has TRL's default.

    A generation is one optimiser step, so that importance ratios begin at 1. Raises ValueError
    as `arithmetic` does.
    """
    batch = arithmetic(training, processes)
    optimisation, generation = training.optimisation, training.generation
    return {
        **common_arguments(training, out),
        "use_cpu": training.model.path == TINY,
        "max_steps": optimisation.steps,
        "per_device_train_batch_size": batch.microbatch,
        "gradient_accumulation_steps": batch.accumulation,
        "generation_batch_size": batch.sequences,
        "num_generations": optimisation.rollouts,
        "per_device_eval_batch_size": optimisation.rollouts,
        "shuffle_dataset": False,
        "adam_epsilon": optimisation.adam_epsilon,
        "loss_type": optimisation.loss,
        "beta": optimisation.kl,
        "epsilon": optimisation.clip_low,
        "epsilon_high": optimisation.clip_high,
        "entropy_coef": optimisation.entropy,
        "temperature": generation.temperature,
        "max_completion_length": generation.completion_tokens,
        "eval_strategy": "steps",
        "eval_steps": training.evaluation.every,
        "save_total_limit": training.checkpoints.keep + 1,
        "metric_for_best_model": "eval_reward",
        "greater_is_better": True,
        **_vllm_arguments(training),
    }


def common_arguments(training: Training | Supervised, out: Path) -> dict[str, Any]:
    """What GRPOConfig and SFTConfig have in common."""
    model, optimisation = training.model, training.optimisation
    is_bfloat = model.precision == "bfloat16"
    return {
        "output_dir": str(out),
        "seed": training.seed,
        "bf16": is_bfloat,
        "model_init_kwargs": {"dtype": "bfloat16" if is_bfloat and model.lora else "float32"},
        "gradient_checkpointing": model.gradient_checkpointing and model.path != TINY,
        "learning_rate": optimisation.learning_rate,
        "lr_scheduler_type": {
            "constant": "constant_with_warmup",
            "linear": "linear",
            "cosine": "cosine",
        }[optimisation.schedule],
        "warmup_steps": optimisation.warmup_steps,
        "weight_decay": optimisation.weight_decay,
        "max_grad_norm": optimisation.gradient_norm,
        "save_strategy": "steps",
        "save_steps": training.checkpoints.every,
        "logging_steps": 1,
        "report_to": list(training.report) or "none",
        "disable_tqdm": True,
    }


def settle_device(arguments: Any) -> None:
    """Calls the processor `cpu` in TRL's arguments.

    One of several processes calls it cpu:0, onto which torch.load loads no optimiser.
    """
    import torch

    if arguments.device.type == "cpu":
        arguments._setup_devices = torch.device("cpu")


def _vllm_arguments(training: Training) -> dict[str, Any]:
    generation = training.generation
    if generation.engine == "transformers":
        return {"use_vllm": False}
    context = generation.prompt_tokens + generation.completion_tokens
    if generation.engine == "vllm_server":
        return {
            "use_vllm": True,
            "vllm_mode": "server",
            "vllm_server_base_url": generation.server,
        }
    return {
        "use_vllm": True,
        "vllm_mode": "colocate",
        "vllm_gpu_memory_utilization": generation.memory_share,
        "vllm_max_model_length": context,
    }
