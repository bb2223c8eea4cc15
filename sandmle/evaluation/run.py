"""A run is a folder: config.json, rollouts.jsonl and summary.json.

The rollouts are the run: config.json says what is played, summary.json follows from both. A run
that was stopped, however, is continued by beginning it again with the same config.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sandmle.errors import RolloutError
from sandmle.evaluation.config import Config, differences, dump_config, parse_config
from sandmle.evaluation.files import CONFIG_FILE, ROLLOUTS_FILE, SUMMARY_FILE
from sandmle.evaluation.summary import Summary, summarize, summary_data
from sandmle.evaluation.tally import Tallies, Tally
from sandmle.play.rollout import read_rollouts
from sandmle.writing import write_whole

#: Policies and tasks that a default name tells, and its characters at most.
_NAMED, _LONGEST = 3, 60


class ConflictError(ValueError):
    """A folder holds a run of something else; says what differs."""


@dataclass(frozen=True)
class Run:
    """What a run has come to. `config` is None for a lone file of rollouts, as play writes it."""

    path: Path
    config: Config | None
    tallies: tuple[Tally, ...]

    @property
    def rollouts(self) -> int:
        """How many rollouts there are."""
        return sum(tally.rollouts for tally in self.tallies)

    @property
    def expected(self) -> int | None:
        """How many there are to be, None where nothing tells."""
        return None if self.config is None else self.config.rollouts

    @property
    def difficulty(self) -> Mapping[str, float | None]:
        """The difficulty of its tasks as far as it is known."""
        selected = {} if self.config is None else self.config.selected
        return {name: task.difficulty for name, task in selected.items()}

    def summary(self) -> Summary:
        """The summary of the rollouts so far, in whichever order they ended."""
        asked = list(self.config.policies) if self.config is not None else []

        def place(tally: Tally) -> tuple[int, str, str]:
            order = asked.index(tally.policy) if tally.policy in asked else len(asked)
            return order, tally.policy, tally.task

        return summarize(sorted(self.tallies, key=place), difficulty=self.difficulty)


def begin(folder: Path, config: Config) -> None:
    """Makes the folder of a run, or continues the same run.

    Raises ConflictError where the folder holds another run, or something else.
    """
    if (folder / CONFIG_FILE).is_file():
        found = differences(read_config(folder), config)
        if found:
            raise ConflictError(
                "\n  ".join(
                    [f"{folder} holds another run; give another --out. It differs:", *found]
                )
            )
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConflictError(f"{folder}: there is something else already; give another --out")
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / CONFIG_FILE, dump_config(config))


def default_folder(corpus: Path, config: Config) -> Path:
    """A folder below a corpus' runs/ that is named by what is played: the same for the same."""
    names = [*config.policies, *config.tasks]
    name = re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(names[:_NAMED])).strip("-.")[:_LONGEST]
    meaning = dump_config(replace(config, version="", shard=None))
    digest = hashlib.sha256(meaning.encode()).hexdigest()[:8]
    return corpus / "runs" / f"{name}-{digest}"


def read_config(folder: Path) -> Config:
    """The config of a run. Raises RolloutError naming the file where it is no run's."""
    path = folder / CONFIG_FILE
    try:
        return parse_config(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RolloutError(f"{path}: not the config of a run: {error}") from None


def read_run(path: Path) -> Run:
    """A run as far as it has come, from its folder, or from a lone file of rollouts.

    Raises RolloutError where it is neither, or where what it holds cannot be read.
    """
    if path.is_file():
        return Run(path, None, tuple(Tallies(read_rollouts(path)).all()))
    if not (path / CONFIG_FILE).is_file():
        raise RolloutError(f"{path}: no run is here: there is no {CONFIG_FILE}")
    return Run(path, read_config(path), tuple(read_tallies(path).all()))


def read_tallies(folder: Path) -> Tallies:
    """The rollouts of a run's folder so far, summed up one by one; there may be none yet."""
    rollouts = folder / ROLLOUTS_FILE
    return Tallies(read_rollouts(rollouts) if rollouts.is_file() else ())


def write_summary(run: Run) -> Summary:
    """Writes summary.json into a run's folder, and returns it."""
    summary = run.summary()
    data = json.dumps(run_data(run, summary), indent=1, allow_nan=False) + "\n"
    write_whole(run.path / SUMMARY_FILE, data)
    return summary


def run_data(run: Run, summary: Summary) -> dict[str, object]:
    """A run's summary as JSON data, with how far it has come."""
    complete = run.expected is None or run.rollouts >= run.expected
    return {
        "run": str(run.path),
        "complete": complete,
        "expected_rollouts": run.expected,
        **summary_data(summary),
    }
