"""What trainings were set to, side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sandmle.curves.runs import TrainingRun

#: Entries of a list that are told.
_LISTED = 6


@dataclass(frozen=True)
class Setting:
    """A setting by its dotted path, and what it is in every run, empty where a run has none."""

    name: str
    values: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether it is not the same in all runs."""
        return len(set(self.values)) > 1


def settings(runs: Sequence[TrainingRun]) -> list[Setting]:
    """All settings of runs, those in which they differ first."""
    flat = [dict(_flat(run.configuration)) for run in runs]
    names = dict.fromkeys(name for own in flat for name in own)
    found = [Setting(name, tuple(own.get(name, "") for own in flat)) for name in names]
    return sorted(found, key=lambda setting: not setting.differs)


def _flat(data: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Settings by their paths, as people write them; of tasks only how many there are."""
    if where in ("tasks.train", "tasks.validation") and isinstance(data, dict):
        yield where, str(len(data))
    elif isinstance(data, dict) and data:
        for name, value in data.items():
            yield from _flat(value, f"{where}.{name}" if where not in ("", "training") else name)
    else:
        yield where, _written(data)


def _written(value: Any) -> str:
    if isinstance(value, list):
        words = ", ".join(_written(entry) for entry in value[:_LISTED])
        return f"{len(value)}: {words}, …" if len(value) > _LISTED else words or "none"
    if value is None or value == {}:
        return "none"
    return value if isinstance(value, str) else json.dumps(value)
