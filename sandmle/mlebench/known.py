"""What is known of MLE-bench's 75 competitions, whether they are prepared here or not."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

_TABLE = Path(__file__).with_name("competitions.yaml")


@dataclass(frozen=True)
class Latest:
    """Of each `group`, only the last `rows` rows by `order` count whose cell `known` is not empty;
    all but the number are columns of the answers.
    """

    group: str
    order: str
    known: str
    rows: int


@dataclass(frozen=True)
class Rule:
    """How a competition's submissions are graded by one of our metrics.

    `identifier` is the column that matches rows of submission and answers, `columns` are those
    that are graded, None for all others of the answers, which call them `truth` where that is not
    None. `form` names the reader of forms.py; `low` and `high` bound numbers, and with `clip` what
    lies beyond counts as the bound; `pixels` are height and width of pictures, as numbers or as
    columns of the answers; `parts` are what samples have rows for. Only those rows of the answers
    count whose cells are among the texts of `where`, and the `latest`. `by` is the column of the
    answers by which the metric groups. With `more_rows` a submission may have others, too. `metric`
    is a use of a metric: its `kind` and its parameters. A `whole` score has no decimals.
    """

    identifier: str
    columns: tuple[str, ...] | None
    truth: tuple[str, ...] | None
    form: str
    low: float | None
    high: float | None
    clip: bool
    pixels: tuple[int | str, ...]
    parts: tuple[str, ...]
    latest: Latest | None
    where: Mapping[str, tuple[str, ...]]
    by: str | None
    more_rows: bool
    metric: Mapping[str, Any]
    whole: bool

    @property
    def wanted(self) -> list[str]:
        """The columns that the answers must have."""
        latest = self.latest and [self.latest.group, self.latest.order, self.latest.known]
        return [
            self.identifier,
            *(self.truth or self.columns or ()),
            *self.where,
            *(latest or ()),
            *(size for size in self.pixels if isinstance(size, str)),
            *([] if self.by is None else [self.by]),
        ]


@dataclass(frozen=True)
class Known:
    """One competition of the benchmark.

    `complexity` is MLE-bench's: low (the competitions of MLE-bench Lite), medium or high. The rest
    is in the words of the vocabulary. `answers` and `gold` (the answers as a submission) are names
    of files in prepared/private/. All three are None where none of our metrics grades it.
    """

    id: str
    complexity: str
    modality: str
    task: str
    metric: str
    is_lower_better: bool
    answers: str | None
    gold: str | None
    rule: Rule | None


@functools.cache
def known_competitions() -> Mapping[str, Known]:
    """All competitions of the benchmark by id, in the order of their ids."""
    table = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    return MappingProxyType({name: _known(name, entry) for name, entry in table.items()})


def _known(name: str, entry: Mapping[str, Any]) -> Known:
    rule = entry.get("rule")
    answers = entry.get("answers")
    return Known(
        id=name,
        complexity=entry["complexity"],
        modality=entry["modality"],
        task=entry["task"],
        metric=entry["metric"]["kind"],
        is_lower_better=entry["better"] == "lower",
        answers=answers,
        gold=entry.get("gold", answers),
        rule=None if rule is None else _rule(rule, entry["metric"]),
    )


def _rule(entry: Mapping[str, Any], metric: Mapping[str, Any]) -> Rule:
    low, high = entry.get("range") or entry.get("clip") or (None, None)
    return Rule(
        identifier=entry["id"],
        columns=tuple(entry["columns"]) if "columns" in entry else None,
        truth=tuple(entry["truth"]) if "truth" in entry else None,
        form=entry["form"],
        low=low,
        high=high,
        clip="clip" in entry,
        pixels=tuple(entry.get("pixels", ())),
        parts=tuple(entry.get("parts", ())),
        latest=Latest(**entry["latest"]) if "latest" in entry else None,
        where={column: tuple(cells) for column, cells in entry.get("where", {}).items()},
        by=entry.get("by"),
        more_rows=entry.get("more_rows", False),
        metric=entry.get("metric", metric),
        whole=entry.get("whole", False),
    )
