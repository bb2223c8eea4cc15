"""Supervised fine-tuning from its file to a model that GRPO can begin with.

RUN/config.json, metrics.jsonl, checkpoint-NUMBER/ and summary.json are as in a training by GRPO;
RUN/last/ is the model at the end, with adapters merged into it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sandmle import __version__
from sandmle.train.arguments import common_arguments
from sandmle.train.files import LAST, METRICS_FILE, SUMMARY_FILE
from sandmle.train.folder import open_folder
from sandmle.train.metrics import read_metrics
from sandmle.train.needs import missing_packages
from sandmle.train.run import MODEL_FOLDER, adapters, quiet
from sandmle.train.supervised import BYTES, Supervised
from sandmle.train.supervised_data import Encoded, Split, load_examples
from sandmle.writing import write_whole


def supervise(
    training: Supervised,
    *,
    out: Path,
    resume: bool = False,
    progress: Callable[[Mapping[str, Any]], None] = lambda line: None,
) -> dict[str, Any]:
    """Trains, and returns the summary; `progress` is told of each line of metrics.jsonl.

    With `resume` a run goes on after its last whole checkpoint and ends as if it had not been
    ended. Raises ModuleNotFoundError where an extra is missing, OSError or ValueError where the
    files can't be read, the batch does not work out or the folder holds another run.
    """
    lacking = missing_packages(training.report)
    if lacking:
        raise ModuleNotFoundError(lacking)
    from accelerate import PartialState
    from accelerate.utils import broadcast_object_list
    from transformers import AutoTokenizer

    state = PartialState()
    path = training.model.path
    if path == BYTES:
        with state.main_process_first():
            path = str(_made(out / MODEL_FOLDER, seed=training.seed))
    tokenizer = AutoTokenizer.from_pretrained(path)
    split = load_examples(training.examples, tokenizer, seed=training.seed)
    wanted = configuration(training)
    found = [open_folder(out, wanted, resume=resume) if state.is_main_process else None]
    (checkpoint,) = broadcast_object_list(found)
    with quiet():
        trainer = _trainer(training, path, split, tokenizer, out, checkpoint is None, progress)
        trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
        _save(trainer, tokenizer, out / LAST)
    return _write_summary(out) if state.is_main_process else {}


def configuration(training: Supervised) -> dict[str, Any]:
    """What is learned from what, as config.json holds it: the files by their bytes."""
    digests = {
        name: hashlib.sha256(Path(name).read_bytes()).hexdigest()
        for name in training.examples.files
    }
    return {"version": __version__, "training": asdict(training), "files": digests}


def sft_arguments(
    training: Supervised, out: Path, *, processes: int, held_out: bool
) -> dict[str, Any]:
    """The arguments of `trl.SFTConfig`; whatever is not among them has TRL's default.

    Raises ValueError where a batch can't be spread over so many processes.
    """
    optimisation = training.optimisation
    each = processes * optimisation.microbatch
    if optimisation.batch % each:
        raise ValueError(
            f"optimisation.batch: {optimisation.batch} conversations can't be spread over "
            f"{processes} processes of {optimisation.microbatch} at a time"
        )
    return {
        **common_arguments(training, out),
        "num_train_epochs": optimisation.epochs,
        "per_device_train_batch_size": optimisation.microbatch,
        "per_device_eval_batch_size": optimisation.microbatch,
        "gradient_accumulation_steps": optimisation.batch // each,
        "max_length": None,  # what is too long is left out, not cut
        "packing": False,
        "eval_strategy": "steps" if held_out else "no",
        "eval_steps": training.checkpoints.every if held_out else None,
        "save_total_limit": training.checkpoints.keep,
    }


def steps_of(training: Supervised, conversations: int) -> int:
    """How many steps the training has on so many conversations."""
    return training.optimisation.epochs * math.ceil(conversations / training.optimisation.batch)


def _trainer(
    training: Supervised,
    path: str,
    split: Split,
    tokenizer: Any,
    out: Path,
    begins: bool,
    progress: Callable[[Mapping[str, Any]], None],
) -> Any:
    from accelerate import PartialState
    from trl import SFTConfig

    from sandmle.train.supervised_trainer import SupervisedTrainer

    held_out = bool(split.validation)
    processes = PartialState().num_processes
    arguments = sft_arguments(training, out, processes=processes, held_out=held_out)
    return SupervisedTrainer(
        model=path,
        arguments=SFTConfig(**arguments, eval_on_start=begins and held_out),
        train=_table(split.train),
        validation=_table(split.validation) if held_out else None,
        tokenizer=tokenizer,
        lora=adapters(training.model.lora),
        progress=progress,
    )


def _made(folder: Path, *, seed: int) -> Path:
    """The folder of the model that is made on the spot, once for a run."""
    from sandmle.train.byte_model import write_byte_model

    if not (folder / "config.json").is_file():
        write_byte_model(folder, seed=seed)
    return folder


def _table(conversations: Sequence[Encoded]) -> Any:
    """Ids and labels as TRL takes them: it leaves a column `labels` as it is."""
    from datasets import Dataset

    return Dataset.from_dict(
        {
            "input_ids": [list(one.ids) for one in conversations],
            "labels": [list(one.labels) for one in conversations],
        }
    )


def _save(trainer: Any, tokenizer: Any, folder: Path) -> None:
    """The model as any other one, without adapters, so that GRPO can begin with it."""
    if trainer.is_fsdp_enabled:
        trainer.accelerator.state.fsdp_plugin.set_state_dict_type("FULL_STATE_DICT")
    model = trainer.accelerator.unwrap_model(trainer.model)
    if hasattr(model, "merge_and_unload"):
        model = model.merge_and_unload()
        if trainer.is_world_process_zero():
            model.save_pretrained(folder)
    else:
        trainer.save_model(str(folder))
    if trainer.is_world_process_zero():
        tokenizer.save_pretrained(folder)


def _write_summary(out: Path) -> dict[str, Any]:
    """The losses and accuracies of the first and last line of each split."""
    lines = read_metrics(out / METRICS_FILE)
    kept = ("step", "loss", "token_accuracy")
    summary: dict[str, Any] = {"model": LAST}
    for split in ("train", "validation"):
        own = [{name: line[name] for name in kept} for line in lines if line["split"] == split]
        if own:
            summary[split] = {"before": own[0], "after": own[-1]}
    write_whole(out / SUMMARY_FILE, json.dumps(summary, indent=2) + "\n")
    return summary
