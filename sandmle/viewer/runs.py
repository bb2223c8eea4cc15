"""The runs that a page shows: where their rollouts lie, and how they were played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sandmle.evaluation.config import Config
from sandmle.evaluation.files import CONFIG_FILE, ROLLOUTS_FILE
from sandmle.evaluation.run import read_config
from sandmle.play.records import to_data


@dataclass(frozen=True)
class Run:
    """A run by its name on the page; `config` is None for a file of rollouts by itself."""

    name: str
    rollouts: Path
    config: Config | None

    @property
    def difficulty(self) -> Mapping[str, float | None]:
        """The difficulty of its tasks as far as it is known."""
        selected = {} if self.config is None else self.config.selected
        return {name: task.difficulty for name, task in selected.items()}

    @property
    def played_with(self) -> dict[str, Any] | None:
        """What it was played with as JSON data; of its tasks, only how many they are."""
        if self.config is None:
            return None
        data = to_data(self.config)
        del data["selected"]
        return {**data, "tasks selected": len(self.config.selected)}


def find_runs(paths: Sequence[Path]) -> tuple[Run, ...]:
    """The runs at `paths`: folders of runs, or files of rollouts by themselves.

    A run is called as its folder or file; of those that share a name, later ones get a number.
    Raises FileNotFoundError where there are no rollouts, RolloutError where a config is broken.
    """
    seen: Counter[str] = Counter()
    named = []
    for run in map(_find, paths):
        seen[run.name] += 1
        number = seen[run.name]
        named.append(run if number == 1 else replace(run, name=f"{run.name} ({number})"))
    return tuple(named)


def _find(path: Path) -> Run:
    if path.is_file():
        return Run(path.stem, path, None)
    rollouts = path / ROLLOUTS_FILE
    if not rollouts.is_file():
        raise FileNotFoundError(
            f"{path}: no run here: give a folder with {ROLLOUTS_FILE}, or a file of rollouts"
        )
    config = read_config(path) if (path / CONFIG_FILE).is_file() else None
    return Run(path.resolve().name, rollouts, config)
