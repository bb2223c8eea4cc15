"""What a training has left, as far as it can be read: its settings, and numbers for every step.

A run is looked at while it goes on, after a kill, and long after it was made by another version:
whatever is missing, or is no number, is None.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import quote

from sandmle.train.files import CONFIG_FILE, METRICS_FILE, SUMMARY_FILE
from sandmle.train.metrics import read_metrics

Line = Mapping[str, Any]

#: The page of a run, in its folder.
TRAINING_PAGE = "training.html"

#: The parts of a step's time, in the order in which they are drawn; `other` is what is left.
PARTS = ("generate", "sandbox", "score", "update", "other")

#: No measurement is larger, and no step: beyond this, sums of floats go wrong.
_LARGEST = 1e15


@dataclass(frozen=True)
class TrainingRun:
    """A run by its name on the page; its lines of metrics by split, in the order of their steps.

    `configuration` and `summary` are what config.json and summary.json hold, empty where they are
    not there.
    """

    name: str
    folder: Path
    configuration: Mapping[str, Any]
    summary: Mapping[str, Any]
    train: tuple[Line, ...]
    validation: tuple[Line, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of both splits."""
        return self.train + self.validation

    @property
    def steps(self) -> int:
        """The last step that was made."""
        return max((line["step"] for line in self.lines), default=0)

    def setting(self, *keys: str) -> Any:
        """A setting of the training file by its path, None where there is none."""
        return _reach(self.configuration, ("training", *keys))

    @property
    def planned(self) -> int | None:
        """How many steps there are to be."""
        steps = self.setting("optimisation", "steps")
        return steps if isinstance(steps, int) else None

    @property
    def seconds(self) -> float:
        """Real time of all steps and evaluations."""
        steps = [number(line, "seconds", "step") for line in self.train]
        played = [number(line, "seconds", "rollouts") for line in self.validation]
        return math.fsum(value for value in (*steps, *played) if value is not None)


def read_training_runs(folders: Sequence[Path]) -> tuple[TrainingRun, ...]:
    """The runs in `folders`, each called by as much of its path as tells it from the others.

    Raises FileNotFoundError where there is no training run, ValueError naming a broken file.
    """
    unique = list(dict.fromkeys(folder.resolve() for folder in folders))
    return tuple(_read(path, name) for path, name in zip(unique, _names(unique), strict=True))


def training_pages(runs: Path, folder: Path) -> list[dict[str, str]]:
    """The pages of the trainings in a folder of runs: a name and a link from `folder` for each."""
    return [
        {"name": page.parent.name, "href": link(page, folder)}
        for page in sorted(runs.glob(f"*/{TRAINING_PAGE}"))
    ]


def link(page: Path, folder: Path) -> str:
    """The address of a page for another one that lies in `folder`."""
    return quote(Path(os.path.relpath(page, folder)).as_posix())


def is_training_run(folder: Path) -> bool:
    """Whether there is a training run in a folder. Raises ValueError naming a broken file."""
    return (folder / METRICS_FILE).is_file() or "training" in _read_object(folder / CONFIG_FILE)


def number(line: Line, *keys: str) -> float | None:
    """The finite number that a path of keys leads to, None where it leads to none."""
    value = _reach(line, keys)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if -_LARGEST <= value <= _LARGEST else None


def share(line: Line, part: str, whole: str) -> float | None:
    """What share one count of a line is of another."""
    counted, of = number(line, part), number(line, whole)
    return None if counted is None or not of else counted / of


def numbers(line: Line, key: str) -> dict[str, float]:
    """The numbers by name that a key leads to."""
    found = line.get(key)
    if not isinstance(found, dict):
        return {}
    told = {name: number(found, name) for name in found}
    return {name: value for name, value in told.items() if value is not None}


def split_seconds(line: Line) -> dict[str, float]:
    """The seconds of a step by PARTS, empty where nothing of it was measured.

    `generate` and `update` are real time, `sandbox` and `score` are summed over episodes side by
    side, and `other` is what all of them leave of the step: together they are longer than it where
    playing side by side saved time.
    """
    found = numbers(line, "seconds")
    parts = {name: max(0.0, found[name]) for name in PARTS if name in found}
    if parts and "step" in found:
        parts["other"] = max(0.0, found["step"] - math.fsum(parts.values()))
    return parts


def mean_seconds(lines: Iterable[Line]) -> dict[str, float]:
    """The mean seconds of steps by PARTS, and of the whole `step`, as far as they are known."""
    split = [{**split_seconds(line), **_step(line)} for line in lines]
    names = [name for name in (*PARTS, "step") if any(name in parts for parts in split)]
    return {name: fmean(parts[name] for parts in split if name in parts) for name in names}


def _step(line: Line) -> dict[str, float]:
    seconds = number(line, "seconds", "step")
    return {} if seconds is None else {"step": seconds}


def _read(folder: Path, name: str) -> TrainingRun:
    configuration = _read_object(folder / CONFIG_FILE)
    if not is_training_run(folder):
        raise FileNotFoundError(
            f"{folder}: no training run here: give a folder with {METRICS_FILE}"
        )
    lines = _read_lines(folder / METRICS_FILE)
    return TrainingRun(
        name=name,
        folder=folder,
        configuration=configuration,
        summary=_read_object(folder / SUMMARY_FILE),
        train=_of_split(lines, "train"),
        validation=_of_split(lines, "validation"),
    )


def _read_lines(path: Path) -> list[Any]:
    try:
        return read_metrics(path)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not a file of metrics: {error}") from None


def _of_split(lines: Iterable[Any], split: str) -> tuple[Line, ...]:
    """The last line of every step, by steps."""
    found = {}
    for line in lines:
        if isinstance(line, dict) and line.get("split") == split:
            step = line.get("step")
            if type(step) is int and 0 <= step <= _LARGEST:
                found[step] = line
    return tuple(found[step] for step in sorted(found))


def _read_object(path: Path) -> dict[str, Any]:
    """The object in a file, an empty one where there is no file."""
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path}: expected an object, got {type(found).__name__}")
    return found


def _reach(data: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _names(folders: Sequence[Path]) -> list[str]:
    """The shortest ends of paths, all of the same depth, that differ."""
    depth, names = 1, [folder.name for folder in folders]
    while len(set(names)) < len(names):
        depth += 1
        names = ["/".join(folder.parts[-depth:]) for folder in folders]
    return names
