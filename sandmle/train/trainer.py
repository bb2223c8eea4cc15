"""TRL's trainer with our rollouts, our evaluation and our file of metrics."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from accelerate.utils import gather_object
from transformers import PrinterCallback
from trl import GRPOConfig, GRPOTrainer

from sandmle.train.arguments import settle_device
from sandmle.train.batch import Batch, environment_reward
from sandmle.train.files import METRICS_FILE
from sandmle.train.generation import (
    Generator,
    ServerGenerator,
    TransformersGenerator,
    VllmGenerator,
)
from sandmle.train.metrics import Outcome, append_metrics, renamed, solved_by_task, summarise
from sandmle.train.rollouts import Rollouts

#: What a line of metrics.jsonl takes from TRL's own log, and what it calls it.
_FROM_TRL = {
    "loss": "loss",
    "grad_norm": "gradient_norm",
    "learning_rate": "learning_rate",
    "entropy": "entropy",
    "clip_ratio/region_mean": "clipped",
    "sampling/sampling_logp_difference/mean": "sampling_difference",
}


#: What TRL logs of a step by the names that metrics.jsonl has, too.
_LOGGED_BY_TRL = ("reward", "reward_std", "loss", "learning_rate", "entropy")


class PolicyTrainer(GRPOTrainer):  # type: ignore[misc]  # not looked into
    """GRPO on rollouts that are played here; evaluation plays the validation tasks.

    Writes a line of metrics.jsonl for every step and every evaluation.
    """

    control: Any
    _last_loaded_step: int

    def __init__(
        self,
        *,
        rollouts: Rollouts,
        validation: Sequence[str],
        model: Any,
        arguments: GRPOConfig,
        train_dataset: Any,
        eval_dataset: Any,
        tokenizer: Any,
        lora: Any,
        progress: Callable[[Mapping[str, Any]], None],
    ) -> None:
        settle_device(arguments)
        super().__init__(
            model=model,
            reward_funcs=environment_reward,
            args=arguments,
            train_dataset=train_dataset,
            eval_dataset=eval_dataset,
            processing_class=tokenizer,
            rollout_func=rollouts,
            peft_config=lora,
        )
        self.remove_callback(PrinterCallback)
        self._rollouts = rollouts
        self._validation = list(validation)
        self._progress = progress
        self._batch: Batch | None = None
        self._logged = time.monotonic()
        rollouts.on_batch = self._keep
        if self.is_fsdp_enabled and rollouts.training.generation.engine == "transformers":
            raise ValueError(
                "generation.engine: transformers can't generate with weights that FSDP spreads: "
                "take vllm_colocate or vllm_server, or launch without FSDP"
            )

    def _keep(self, batch: Batch) -> None:
        self._batch = batch

    def training_step(self, *arguments: Any, **keywords: Any) -> Any:
        """Starts the clock of a step with its first microbatch."""
        if self._batch is None:
            self._logged = time.monotonic()
        return super().training_step(*arguments, **keywords)

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Plays every validation task; what TRL would do on its own batches is left out."""
        self._sync_weights()
        ids = [name for name in self._validation for _ in range(self._attempts)]
        process, processes = self._rollouts.process, self._rollouts.processes
        step = self.state.global_step
        mine = ids[process::processes]
        batch = self._rollouts.play(
            mine, self._rollouts.generator(self), step=step, split="validation"
        )
        outcomes: list[Outcome] = sorted(
            gather_object(list(batch.outcomes)), key=lambda outcome: outcome.task
        )
        found = summarise(outcomes, group=self._attempts)
        self._write({"step": step, "split": "validation", **found, "seconds": batch.seconds})
        metrics = {
            f"eval_{name}": found[name] or 0.0
            for name in ("reward", "any_medal", "valid", "format")
        }
        self.control = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Adds what the rollouts of the step came to, and writes the step's line."""
        batch, self._batch = self._batch, None
        super().log(logs, start_time)
        if batch is None:
            return
        outcomes: list[Outcome] = gather_object(list(batch.outcomes))
        seconds = dict(batch.seconds)
        seconds["step"] = time.monotonic() - self._logged
        seconds["update"] = seconds["step"] - seconds["rollouts"]
        found = summarise(outcomes, group=self.args.num_generations)
        dropped: list[Outcome] = gather_object(list(batch.dropped))
        found["solved_by_task"] = solved_by_task([*outcomes, *dropped])
        if self._rollouts.curriculum is not None:
            self._rollouts.curriculum.add(self.state.global_step, found["solved_by_task"])
        replaced = sum(gather_object([batch.replaced]))
        taken = renamed(logs, _FROM_TRL)
        self._write(
            {
                "step": self.state.global_step,
                "split": "train",
                **found,
                "replaced_groups": replaced,
                **taken,
                "seconds": {name: round(value, 4) for name, value in seconds.items()},
            }
        )

    @property
    def _attempts(self) -> int:
        return self._rollouts.training.evaluation.attempts

    def _write(self, line: dict[str, Any]) -> None:
        if self.is_world_process_zero():
            append_metrics(Path(self.args.output_dir) / METRICS_FILE, line)
            self.callback_handler.on_log(self.args, self.state, self.control, _scalars(line))
            self._progress(line)

    def _sync_weights(self) -> None:
        """Gives vLLM the weights of this step, as TRL does before it generates."""
        if self.use_vllm and self.state.global_step != self._last_loaded_step:
            self.vllm_generation.sync_weights()
            self._last_loaded_step = self.state.global_step


def _scalars(line: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of a line of metrics by the names under which TensorBoard and W&B show them.

    They are those of metrics.jsonl, nested ones with a slash; `eval_` is how reports tell held-out
    tasks. What TRL itself logs of a step under the same name is left to it.
    """
    prefix = "eval_" if line["split"] == "validation" else ""
    found: dict[str, float] = {}
    for name, value in line.items():
        if name in ("step", "split", "solved_by_task", *(() if prefix else _LOGGED_BY_TRL)):
            continue
        for key, number in value.items() if isinstance(value, dict) else (("", value),):
            if number is not None:
                found[f"{prefix}{name}/{key}".removesuffix("/")] = number
    return found


@functools.cache
def _client_of(server: str) -> Any:
    """This process's client of a server. Raises ConnectionError where there is none."""
    from trl.generation.vllm_client import VLLMClient

    return VLLMClient(server)


def generator_of(trainer: Any, rollouts: Rollouts) -> Generator:
    """The generator of a trainer's model as it is now."""
    generation = rollouts.training.generation
    if generation.engine == "vllm_colocate":
        return VllmGenerator(trainer.vllm_generation)
    if generation.engine == "vllm_server":
        return ServerGenerator(_client_of(str(generation.server)), generation.temperature)
    return TransformersGenerator(
        model=trainer.accelerator.unwrap_model(trainer.model),
        temperature=generation.temperature,
        end=rollouts.speech.end,
        pad=rollouts.speech.pad,
    )
