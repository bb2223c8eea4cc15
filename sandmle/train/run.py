"""A training from its file to its last checkpoint."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sandmle import __version__
from sandmle.play.prompts import opening_messages
from sandmle.play.task import Task
from sandmle.play.tools import tool_schemas
from sandmle.train.arguments import trl_arguments
from sandmle.train.configuration import TINY, Lora, Training
from sandmle.train.curriculum import HALF_LIFE, Curriculum
from sandmle.train.dataset import Tasks, choose_tasks, task_order
from sandmle.train.files import METRICS_FILE
from sandmle.train.folder import open_run, write_summary
from sandmle.train.metrics import read_metrics
from sandmle.train.needs import missing
from sandmle.train.rollouts import Rollouts
from sandmle.train.speech import Speech

#: Where a model that is made on the spot lies in the folder of its run.
MODEL_FOLDER = "model"


def train(
    training: Training,
    *,
    corpus: Path,
    out: Path,
    resume: bool = False,
    progress: Callable[[Mapping[str, Any]], None] = lambda line: None,
) -> dict[str, Any]:
    """Trains, and returns the summary; `progress` is told of each line of metrics.jsonl.

    With `resume` a run that was ended in any way goes on after its last whole checkpoint, in the
    same order of tasks and with the same chance, so that it ends as if it had not been ended
    (vLLM's chance is its own). Raises ModuleNotFoundError where an extra is missing, ValueError
    where tasks or batches don't work out or the folder holds another run, SandboxError where no
    sandbox works here.
    """
    lacking = missing(training)
    if lacking:
        raise ModuleNotFoundError(lacking)
    tasks = choose_tasks(corpus, training.data, seed=training.seed)
    return train_on(training, tasks, corpus=corpus, out=out, resume=resume, progress=progress)


def train_on(
    training: Training,
    tasks: Tasks,
    *,
    corpus: Path,
    out: Path,
    resume: bool = False,
    progress: Callable[[Mapping[str, Any]], None] = lambda line: None,
) -> dict[str, Any]:
    """The same on tasks that are chosen already."""
    from accelerate import PartialState
    from accelerate.utils import broadcast_object_list

    # The first of several processes opens the folder, and tells the others.
    state = PartialState(cpu=training.model.path == TINY)
    found = [open_run(out, training, tasks, resume=resume) if state.is_main_process else None]
    (checkpoint,) = broadcast_object_list(found)
    with quiet():
        trainer = build_trainer(
            training, tasks, corpus=corpus, out=out, begins=checkpoint is None, progress=progress
        )
        trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    best = trainer.state.best_model_checkpoint
    return write_summary(out, best) if state.is_main_process else {}


def build_trainer(
    training: Training,
    tasks: Tasks,
    *,
    corpus: Path,
    out: Path,
    begins: bool = True,
    progress: Callable[[Mapping[str, Any]], None] = lambda line: None,
) -> Any:
    """The trainer of a run, with its model loaded, or made where it is `tiny`.

    A run that `begins` is evaluated before its first step.
    """
    import torch
    from accelerate import PartialState
    from datasets import Dataset
    from transformers import AutoTokenizer
    from trl import GRPOConfig

    from sandmle.train.trainer import PolicyTrainer, generator_of

    state = PartialState(cpu=training.model.path == TINY)
    arguments = trl_arguments(training, out, processes=state.num_processes)
    arguments["use_cpu"] = state.device.type == "cpu"  # lest bfloat16 is refused there
    model = training.model.path
    if model == TINY:
        torch.set_num_threads(1)  # its matrices are too small to be shared
        with state.main_process_first():
            model = str(_embedded(training, tasks, corpus=corpus, folder=out / MODEL_FOLDER))
    tokenizer = AutoTokenizer.from_pretrained(model)
    speech = Speech(tokenizer, tool_schemas(training.episode.score))
    fitting = [task for task in tasks.train if _fits(task, training, speech)]
    order = task_order(
        fitting,
        training.optimisation.steps * training.optimisation.tasks,
        order=training.data.order,
        seed=training.seed,
    )
    rollouts = Rollouts(
        training=training,
        tasks={task.id: task for task in (*tasks.train, *tasks.validation)},
        speech=speech,
        generator=lambda trainer: generator_of(trainer, rollouts),
        digest=hashlib.sha256(f"{__version__}{training!r}".encode()).hexdigest(),
        folder=out,
        spare=[task.id for task in fitting],
        process=state.process_index,
        processes=state.num_processes,
        curriculum=_curriculum(training, tasks, [task.id for task in fitting], out),
    )
    validation = [task.id for task in tasks.validation]
    return PolicyTrainer(
        rollouts=rollouts,
        validation=validation,
        model=model,
        arguments=GRPOConfig(**arguments, eval_on_start=begins),
        train_dataset=Dataset.from_dict({"prompt": order}),
        eval_dataset=Dataset.from_dict({"prompt": validation}),
        tokenizer=tokenizer,
        lora=adapters(training.model.lora),
        progress=progress,
    )


def _embedded(training: Training, tasks: Tasks, *, corpus: Path, folder: Path) -> Path:
    """The folder of the model that is made on the spot, once for a run."""
    from sandmle.train.embedded import make_tokenizer, write_embedded

    if not (folder / "config.json").is_file():
        speech = Speech(make_tokenizer(corpus), tool_schemas(training.episode.score))
        settings = training.episode.settings()
        prompts = [speech.opening_text(opening_messages(task, settings)) for task in tasks.train]
        write_embedded(folder, prompts=prompts, seed=training.seed, corpus=corpus)
    return folder


def _curriculum(
    training: Training, tasks: Tasks, ids: Sequence[str], out: Path
) -> Curriculum | None:
    """What draws tasks by their solve rates so far, where they are to be drawn so.

    They are those that were measured before and those of the steps that a resumed run has done.
    """
    if training.data.order != "solve_rate":
        return None
    round_ = len(ids) / training.optimisation.tasks
    curriculum = Curriculum(ids, seed=training.seed, half_life=HALF_LIFE * round_)
    curriculum.add(0, tasks.solved)
    for line in read_metrics(out / METRICS_FILE):
        if line["split"] == "train":
            curriculum.add(line["step"], line["solved_by_task"])
    return curriculum


def _fits(task: Task, training: Training, speech: Speech) -> bool:
    """Whether the opening of a task is short enough to be learned from."""
    opening = speech.opening(opening_messages(task, training.episode.settings()))
    return len(opening) <= training.generation.prompt_tokens


def adapters(lora: Lora | None) -> Any:
    """The adapters as peft takes them, None where all weights are trained."""
    if lora is None:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=list(lora.modules) or "all-linear",
        task_type="CAUSAL_LM",
    )


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keeps back what libraries say of themselves; what they warn of in the run is still heard."""
    import datasets
    import transformers

    transformers.utils.logging.disable_progress_bar()
    datasets.disable_progress_bars()
    trl = logging.getLogger("trl.trainer.grpo_trainer")
    trl.addFilter(_is_no_masked_reward)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*'rollout_func', which is an experimental")
        try:
            yield
        finally:
            trl.removeFilter(_is_no_masked_reward)


def _is_no_masked_reward(record: logging.LogRecord) -> bool:
    """Whether a message is another one than that a rollout is masked, with all of its text."""
    return "All reward functions returned None" not in str(record.msg)
