"""The folder of a run: opened once, resumed only as what it is.

RUN/config.json            what is trained on what
RUN/metrics.jsonl          a line for every step and every evaluation
RUN/checkpoint-NUMBER/     model, optimiser and chance after a step: the last ones and the best
RUN/train/step-NUMBER/     the rollouts of a step
RUN/validation/step-NUMBER/
RUN/summary.json           before, after, the best checkpoint and solve rates; when all is done
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sandmle import __version__
from sandmle.train.configuration import Training
from sandmle.train.dataset import Tasks
from sandmle.train.files import CONFIG_FILE, METRICS_FILE, SUMMARY_FILE
from sandmle.train.metrics import forget_metrics, read_metrics
from sandmle.writing import write_whole


def open_run(out: Path, training: Training, tasks: Tasks, *, resume: bool) -> Path | None:
    """Begins a run, or finds the checkpoint after which it goes on: None where there is none yet.

    What a resumed run will do again is taken out of its metrics, and its rollouts go, as another
    number of processes would name their files otherwise. Raises ValueError where the
    folder holds a run that is not to be resumed, another one, or none.
    """
    return open_folder(out, configuration(training, tasks), resume=resume)


def open_folder(out: Path, configuration: Mapping[str, Any], *, resume: bool) -> Path | None:
    """The same for what config.json is to hold."""
    wanted = json.loads(json.dumps(configuration))
    path = out / CONFIG_FILE
    if not path.is_file():
        if resume:
            raise ValueError(f"{out}: there is no run to resume: no {CONFIG_FILE}")
        out.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(wanted, indent=2) + "\n")
        return None
    if not resume:
        raise ValueError(f"{out}: holds a run: go on with it by --resume, or name another --out")
    found = json.loads(path.read_text(encoding="utf-8"))
    changed = list(_differences(found, wanted))
    if changed:
        raise ValueError(f"{out}: holds another run; what differs: {', '.join(changed)}")
    checkpoint = last_checkpoint(out)
    step = -1 if checkpoint is None else _step(checkpoint)
    forget_metrics(out / METRICS_FILE, after=step)
    for folder in out.glob("*/step-*"):
        if _step(folder) > step:
            shutil.rmtree(folder)
    return checkpoint


def last_checkpoint(out: Path) -> Path | None:
    """The last checkpoint that was written to its end."""
    found = sorted(out.glob("checkpoint-*"), key=_step, reverse=True)
    return next((path for path in found if _is_whole(path)), None)


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.rpartition("-")[2])


def _is_whole(checkpoint: Path) -> bool:
    """Whether its last file, the trainer's state, is there and whole."""
    try:
        state = json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(state, dict) and state.get("global_step") == _step(checkpoint)


def write_summary(out: Path, best: str | None) -> dict[str, Any]:
    """Writes what the validation tasks came to before and after; `best` is a checkpoint.

    `solve_rates` are the shares of rollouts with any medal, of each task when it was last played.
    """
    splits: dict[str, list[dict[str, Any]]] = {"train": [], "validation": []}
    for line in read_metrics(out / METRICS_FILE):
        splits[line["split"]].append(line)
    lines = splits["validation"]
    kept = ("step", "reward", "any_medal", "valid", "format")
    before, after = ({name: line[name] for name in kept} for line in (lines[0], lines[-1]))
    rates = {split: _last_solve_rates(lines) for split, lines in splits.items()}
    summary = {
        "before": before,
        "after": after,
        "best": best and Path(best).name,
        "solve_rates": rates,
    }
    write_whole(out / SUMMARY_FILE, json.dumps(summary, indent=2) + "\n")
    return summary


def _last_solve_rates(lines: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """The last solve rate of each task in lines of metrics."""
    last: dict[str, Sequence[int]] = {}
    for line in lines:
        last |= line["solved_by_task"]
    return {name: solved / scored for name, (solved, scored) in sorted(last.items())}


def configuration(training: Training, tasks: Tasks) -> dict[str, Any]:
    """What is trained on what, as config.json holds it."""
    before = {"solved": dict(tasks.solved)} if tasks.solved else {}
    return {
        "version": __version__,
        "training": asdict(training),
        "tasks": {
            "train": {task.id: dict(task.digests) for task in tasks.train},
            "validation": {task.id: dict(task.digests) for task in tasks.validation},
            **before,
        },
    }


def _differences(found: Any, wanted: Any, where: str = "") -> Iterator[str]:
    """The dotted paths at which two configurations differ."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for name in sorted(found.keys() | wanted.keys()):
            inner = f"{where}.{name}" if where else name
            yield from _differences(found.get(name), wanted.get(name), inner)
    elif found != wanted:
        yield where
