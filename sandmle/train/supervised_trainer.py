"""TRL's trainer for supervised fine-tuning, with our file of metrics."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from transformers import PrinterCallback
from trl import SFTConfig, SFTTrainer

from sandmle.train.arguments import settle_device
from sandmle.train.files import METRICS_FILE
from sandmle.train.metrics import append_metrics, renamed

#: What a line of metrics.jsonl takes from TRL's log, and what it calls it; by split.
_FROM_TRL: Mapping[str, Mapping[str, str]] = {
    "train": {
        "loss": "loss",
        "mean_token_accuracy": "token_accuracy",
        "learning_rate": "learning_rate",
        "grad_norm": "gradient_norm",
    },
    "validation": {"eval_loss": "loss", "eval_mean_token_accuracy": "token_accuracy"},
}


class SupervisedTrainer(SFTTrainer):  # type: ignore[misc]  # not looked into
    """SFT on conversations that are tokens already; a line of metrics for each step and loss."""

    def __init__(
        self,
        *,
        model: Any,
        arguments: SFTConfig,
        train: Any,
        validation: Any,
        tokenizer: Any,
        lora: Any,
        progress: Callable[[Mapping[str, Any]], None],
    ) -> None:
        settle_device(arguments)
        super().__init__(
            model=model,
            args=arguments,
            train_dataset=train,
            eval_dataset=validation,
            processing_class=tokenizer,
            peft_config=lora,
        )
        self.remove_callback(PrinterCallback)
        self._progress = progress
        self._logged = time.monotonic()

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Writes the line of a step or of a held-out loss; TRL's last words have none."""
        super().log(logs, start_time)
        if "eval_loss" in logs:
            split = "validation"
        elif "loss" in logs:
            split = "train"
        else:
            return
        now = time.monotonic()
        seconds, self._logged = now - self._logged, now
        line = {
            "step": self.state.global_step,
            "split": split,
            **renamed(logs, _FROM_TRL[split]),
            "seconds": {"step": round(seconds, 4)},
        }
        if self.is_world_process_zero():
            append_metrics(Path(self.args.output_dir) / METRICS_FILE, line)
            self._progress(line)
