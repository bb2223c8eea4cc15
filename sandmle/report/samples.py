"""A few training samples of a built task, as a person would look at them.

Reads the public half only: what is shown here is what a solver gets.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from sandmle.report.graphs import SampleGraph, sample_graph
from sandmle.report.marks import pictures_with_target, target_in_short
from sandmle.runtime.tables import owner_of

_PICTURES = {".png", ".jpg", ".jpeg"}
_TEXTS = {".txt", ".json", ".md"}
_SOUNDS = {".wav"}
_SIGNALS = {".csv"}

_MAIN_TABLES = {"train.csv", "test.csv", "sample_submission.csv"}

#: Characters of a text that are kept.
_TEXT_LIMIT = 400


@dataclass(frozen=True)
class Sample:
    """One training sample.

    `target` and `cells` hold what train.csv says, by column; `pictures` are PNG or JPEG files as
    they lie on disk, by path; `texts` the files of text, by path; `series` the numbers of each
    column that a second table, or a table of its own, holds for this sample, in the order of its
    rows; `sounds` WAV files by path; `graph` what tables of edges and nodes hold; `form` the form
    of submissions that the description states.
    """

    id: str
    target: Mapping[str, str]
    cells: Mapping[str, str]
    pictures: Mapping[str, bytes]
    texts: Mapping[str, str]
    series: Mapping[str, tuple[float, ...]]
    sounds: Mapping[str, bytes] = field(default_factory=dict)
    graph: SampleGraph | None = None
    form: str = ""

    @property
    def views(self) -> dict[str, bytes]:
        """The pictures by path, with a target that is a place in them drawn in."""
        return pictures_with_target(self.pictures, self.form, "".join(self.target.values()))

    @property
    def label(self) -> str:
        """The target in one line; of several 0/1 targets the names of those that hold."""
        values = list(self.target.values())
        if len(values) == 1:
            return target_in_short(self.form, values[0])
        if values and set(values) <= {"0", "1"}:
            return ", ".join(name for name, value in self.target.items() if value == "1") or "none"
        return ", ".join(f"{name} {value}" for name, value in self.target.items())


def read_samples(public: Path, count: int) -> tuple[Sample, ...]:
    """Up to `count` training samples of the public folder of a task, their targets spread out.

    Raises OSError where train.csv or test.csv cannot be read.
    """
    train = _read_table(public / "train.csv")
    with (public / "test.csv").open(encoding="utf-8", newline="") as file:
        shown, *test = csv.reader(file)
    identifier = shown[0]
    targets = [name for name in train[0] if name not in shown]
    chosen = _spread(train, targets, count)
    form = _stated_form(public / "description.md")
    known = {row[identifier] for row in train} | {row[0] for row in test if row}
    files = _files_by_sample(public, known)
    wanted = {row[identifier] for row in chosen}
    tables = [
        _rows_by_sample(path, identifier, wanted)
        for path in sorted(public.rglob("*.csv"))
        if path.relative_to(public).as_posix() not in _MAIN_TABLES and path.stem not in known
    ]
    graphs = {
        row[identifier]: sample_graph(
            [table.get(row[identifier], []) for table in tables],
            {name: row[name] for name in shown if name != identifier},
        )
        for row in chosen
    }
    series = [] if any(graphs.values()) else [_series_of(table) for table in tables]

    def contents(name: str, suffixes: set[str]) -> dict[str, bytes]:
        return {
            path.relative_to(public).as_posix(): path.read_bytes()
            for path in files.get(name, [])
            if path.suffix in suffixes
        }

    return tuple(
        Sample(
            id=row[identifier],
            target={name: row[name] for name in targets},
            cells={name: row[name] for name in shown if name != identifier},
            pictures=contents(row[identifier], _PICTURES),
            texts={
                path: content.decode()[:_TEXT_LIMIT]
                for path, content in contents(row[identifier], _TEXTS).items()
            },
            series={
                column: values
                for table in (*series, *_own_series(row[identifier], files))
                for column, values in table.get(row[identifier], {}).items()
            },
            sounds=contents(row[identifier], _SOUNDS),
            graph=graphs[row[identifier]],
            form=form,
        )
        for row in chosen
    )


def _stated_form(description: Path) -> str:
    """What the description says after `Format:`, nothing where there is none."""
    text = description.read_text(encoding="utf-8") if description.is_file() else ""
    stated = [line for line in text.splitlines() if line.startswith("Format: ")]
    return stated[-1].removeprefix("Format: ") if stated else ""


def _own_series(
    name: str, files: Mapping[str, Sequence[Path]]
) -> list[dict[str, dict[str, tuple[float, ...]]]]:
    """The columns of numbers of the csv files that belong to one sample alone."""
    tables = [path for path in files.get(name, []) if path.suffix in _SIGNALS]
    return [_series_of({name: _read_table(path)}) for path in tables]


def _read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _spread(
    rows: Sequence[dict[str, str]], targets: Sequence[str], count: int
) -> list[dict[str, str]]:
    """Rows whose targets differ: each distinct value in turn, or evenly spread numbers."""
    by_value: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows:
        by_value.setdefault(tuple(row[name] for name in targets), []).append(row)
    groups = [by_value[value] for value in sorted(by_value, key=lambda value: _order(*value[:1]))]
    if len(groups) > count:
        step = (len(groups) - 1) / max(1, count - 1)
        groups = [groups[round(index * step)] for index in range(count)]
    chosen: list[dict[str, str]] = []
    for depth in range(count):
        chosen += [group[depth] for group in groups if depth < len(group)]
    return chosen[:count]


def _order(value: str = "") -> tuple[float, str]:
    """Numbers by size, before names by letter."""
    number = _number(value)
    return (math.inf, value) if number is None else (number, "")


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _files_by_sample(public: Path, known: set[str]) -> dict[str, list[Path]]:
    """The files in the folders below `public`, by the sample whose id is in their name."""
    found: dict[str, list[Path]] = {}
    for path in sorted(public.glob("*/**/*.*")):
        owner = owner_of(path.relative_to(public).as_posix(), known)
        if owner is not None:
            found.setdefault(owner, []).append(path)
    return found


def _rows_by_sample(
    path: Path, identifier: str, wanted: set[str]
) -> dict[str, list[dict[str, str]]]:
    """The rows of a second table that are of the samples in `wanted`, without their id."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in _read_table(path):
        if row.get(identifier) in wanted:
            found.setdefault(row.pop(identifier), []).append(row)
    return found


def _series_of(
    table: Mapping[str, Sequence[Mapping[str, str]]],
) -> dict[str, dict[str, tuple[float, ...]]]:
    """The columns of numbers of a table: values by column, by sample.

    A column that only counts the rows, as steps and times do, is left out.
    """
    series: dict[str, dict[str, list[float]]] = {}
    for sample, rows in table.items():
        for row in rows:
            for name, text in row.items():
                value = _number(text)
                if value is not None:
                    series.setdefault(sample, {}).setdefault(name, []).append(value)
    names = {name for own in series.values() for name in own}
    shown = {
        name
        for name in names
        if not all(_counts(own[name]) for own in series.values() if name in own)
    }
    return {
        sample: {name: tuple(values) for name, values in own.items() if name in shown}
        for sample, own in series.items()
    }


def _counts(values: Sequence[float]) -> bool:
    """Whether numbers rise by the same step all along; of one or two one cannot tell."""
    steps = {round(later - sooner, 9) for sooner, later in pairwise(values)}
    return len(values) > 2 and len(steps) == 1 and min(steps) > 0
