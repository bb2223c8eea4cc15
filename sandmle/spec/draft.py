"""A spec's data on its way to a Spec: what the checks look at."""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.errors import Problem
from sandmle.spec.model import WordUse
from sandmle.spec.scoring import MetricTraits, metric_traits
from sandmle.spec.tasks import TaskKind, task_kind
from sandmle.spec.yaml_source import DataPath, Source
from sandmle.vocabulary import Vocabulary, Word


@dataclass(frozen=True)
class Draft:
    """A spec's data with the places known to be faulty, so that no check reports what follows.

    `faulty` holds their paths, sorted, each step as text.
    """

    source: Source
    vocabulary: Vocabulary
    faulty: tuple[tuple[str, ...], ...]

    def sound(self, *path: str | int) -> bool:
        """Whether the part at `path` exists and neither it nor anything in it is faulty."""
        steps = tuple(str(step) for step in path)
        index = bisect.bisect_left(self.faulty, steps)
        inside = index < len(self.faulty) and self.faulty[index][: len(steps)] == steps
        return not inside and self.get(*path) is not None

    def get(self, *path: str | int) -> Any:
        """The data at `path`, None where there is none."""
        value = self.source.data
        for step in path:
            if isinstance(value, Mapping):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
            else:
                return None
        return value

    @functools.cached_property
    def uses(self) -> tuple[tuple[WordUse, Word], ...]:
        """The uses of known words with their words, in the order of the spec, sound or not."""
        found = []
        for folder, use in word_uses(self.source.data):
            word = self.vocabulary.folder(folder).get(use.kind)
            if word is not None:
                found.append((use, word))
        return tuple(found)

    @property
    def knows_observers(self) -> bool:
        """Whether every observe word is a known one."""
        observe = self.get("observe")
        known = [word for _, word in self.uses if word.folder == "observe"]
        return isinstance(observe, list) and len(known) == len(observe)

    def sound_uses(self, *folders: str) -> Iterator[tuple[WordUse, Word]]:
        """The uses of some folders' words that have no fault of their own."""
        for use, word in self.uses:
            if word.folder in folders and self.sound(*use.path):
                yield use, word

    @functools.cached_property
    def factor_types(self) -> Mapping[str, str | None]:
        """The type of every factor by name, in order; None where its word is not known."""
        factors = self.get("factors")
        types: dict[str, str | None] = {}
        for name in factors if isinstance(factors, Mapping) else ():
            kind = self.get("factors", name, "kind")
            word = self.vocabulary.folder("factors").get(kind) if isinstance(kind, str) else None
            types[name] = word.traits["YIELDS"] if word else None
        return types

    @functools.cached_property
    def metric(self) -> Word | None:
        """The metric's word, None where it is not known."""
        use = self._named("metric")
        return self.vocabulary.folder("metrics").get(use.kind) if use else None

    @functools.cached_property
    def metric_traits(self) -> MetricTraits | None:
        """What the metric predicts and counts as better; None where it is not sound."""
        use = self._named("metric")
        return metric_traits(use, self.vocabulary) if use and self.sound("dna", "metric") else None

    @functools.cached_property
    def submission(self) -> Word | None:
        """The submission word that the spec names, None where it names no known one."""
        use = self._named("submission")
        return self.vocabulary.folder("submissions").get(use.kind) if use else None

    def _named(self, key: str) -> WordUse | None:
        """The word use in the DNA under `key`, which may be a bare name."""
        value = self.get("dna", key)
        given = value if isinstance(value, Mapping) else {"kind": value}
        if not isinstance(given.get("kind"), str):
            return None
        parameters = {name: item for name, item in given.items() if name != "kind"}
        return WordUse(given["kind"], parameters, ("dna", key))

    @functools.cached_property
    def task(self) -> str | None:
        """The name of the kind of task, None where it is not known."""
        return self.get("dna", "task") if self.sound("dna", "task") else None

    @functools.cached_property
    def task_kind(self) -> TaskKind | None:
        """What the kind of task asks for, None where it is not known."""
        return None if self.task is None else task_kind(self.vocabulary, self.task)

    @functools.cached_property
    def targets(self) -> Mapping[str, DataPath]:
        """The target columns with the path of the mapping that holds their rule and cut."""
        several = self.get("hidden", "targets")
        if isinstance(several, Mapping):
            return {name: ("hidden", "targets", name) for name in several}
        name = self.get("hidden", "target")
        return {name: ("hidden",)} if isinstance(name, str) else {}


def word_uses(data: Any) -> Iterator[tuple[str, WordUse]]:
    """The word uses in a spec's data with their folders, skipping whatever is malformed."""
    if not isinstance(data, Mapping):
        return
    found: list[tuple[str, DataPath, Any]] = [
        ("metrics", ("dna", "metric"), _get(_get(data, "dna"), "metric")),
        ("submissions", ("dna", "submission"), _get(_get(data, "dna"), "submission")),
    ]
    for folder in ("factors", "observe", "noise"):
        for key, value in _entries(data.get(folder)):
            found.append((folder, (folder, key), value))
    hidden = data.get("hidden")
    found.append(("hidden", ("hidden", "rule"), _get(hidden, "rule")))
    for name, target in _entries(_get(hidden, "targets")):
        found.append(("hidden", ("hidden", "targets", name, "rule"), _get(target, "rule")))
    for folder, path, value in found:
        if isinstance(value, Mapping) and isinstance(value.get("kind"), str):
            parameters = {name: item for name, item in value.items() if name != "kind"}
            yield folder, WordUse(value["kind"], parameters, path)


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, Mapping) else None


def _entries(value: Any) -> list[tuple[str | int, Any]]:
    if isinstance(value, Mapping):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def faulty_paths(problems: Iterable[Problem]) -> tuple[tuple[str, ...], ...]:
    """The paths of problems as Draft holds them, from their dotted form."""
    paths = {tuple(re.split(r"\.|\[", problem.where.replace("]", ""))) for problem in problems}
    return tuple(sorted(paths))
