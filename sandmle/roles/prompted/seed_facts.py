"""What roles are told of a seed: its structure. A seed's free texts are left out, as they are
others' and say nothing that a role needs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sandmle.roles.prompted.part import present
from sandmle.seeds.model import Seed

_NAME = re.compile("[a-z][a-z0-9_]{0,40}")

#: Columns that are told one by one.
_COLUMNS_TOLD = 24


def task_facts(seed: Seed) -> dict[str, Any]:
    """The kind of task, what samples show and how it was scored."""
    return {
        "modality": seed.modality,
        "task": seed.task,
        "metric": _use(seed.metric.name, seed.metric.parameters),
        "submission": _use(seed.submission.shape, seed.submission.parameters),
        "targets": [_told(target) for target in seed.targets[:_COLUMNS_TOLD]],
    }


def data_facts(seed: Seed) -> dict[str, Any]:
    """The shape of its data."""
    columns = {column.name: _line(column) for column in seed.columns[:_COLUMNS_TOLD]}
    return present(
        {
            "sizes": asdict(seed.sizes) if seed.sizes else None,
            "split": seed.split.kind if seed.split else None,
            "files": [_told(files) for files in seed.files],
            "columns_by_kind": dict(Counter(column.kind for column in seed.columns)),
            "columns": columns,
            "correlation": asdict(seed.correlation) if seed.correlation else None,
        }
    )


def _use(name: str, parameters: Mapping[str, Any]) -> Any:
    """A use of a word, without texts in it that are no names."""
    told = {key: value for key, value in parameters.items() if _is_bare([key, value])}
    return {"kind": name, **told} if told else name


def _is_bare(value: Any) -> bool:
    """Whether nothing in it is a text but names."""
    if isinstance(value, Mapping):
        return all(_is_bare([key, inner]) for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return all(_is_bare(item) for item in value)
    return not isinstance(value, str) or bool(_NAME.fullmatch(value))


def _line(facts: Any) -> str:
    """Facts in a line: number, magnitude 1, skewness 0.7."""
    told = {name: value for name, value in _told(facts).items() if value is not False}
    del told["name"]
    kind = told.pop("kind")
    return ", ".join([kind, *(f"{name} {value}" for name, value in told.items())])


def _told(facts: Any) -> dict[str, Any]:
    told = present(asdict(facts))
    if told.get("missing") == 0:
        del told["missing"]
    return {key: list(value) if isinstance(value, tuple) else value for key, value in told.items()}
