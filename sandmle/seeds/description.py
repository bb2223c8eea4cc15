"""What a competition's description says, beside what a profile of its data shows.

The data know the columns and their shapes; that rows of the test come later, that classes have an
order, or by which parameters a metric is computed, is only ever said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sandmle.seeds.model import Files, Seed, SeedMetric, SeedSplit
from sandmle.spec.model import WordUse
from sandmle.spec.scoring import default_submission, fitting_submissions, metric_traits
from sandmle.vocabulary import Vocabulary

#: Whose word wins where both tell of the same thing.
DATA, DESCRIPTION = "data", "description"


@dataclass(frozen=True)
class Told:
    """What a description says; None and empty where it says nothing.

    `metric` is known from the description, `targets` are columns, `submission` is a word of the
    vocabulary, `split` one of SPLIT_KINDS, `files` are some of FILE_KINDS.
    """

    task: str | None = None
    modality: str | None = None
    metric: SeedMetric | None = None
    targets: tuple[str, ...] = ()
    submission: str | None = None
    split: str | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Conflict:
    """Where description and data disagree: what each says, and whose word was taken."""

    about: str
    described: str
    profiled: str
    taken: str

    def __str__(self) -> str:
        told = f"the description says {self.described}, the data say {self.profiled}"
        return f"{self.about}: {told}; took the word of the {self.taken}"


def merge(
    seed: Seed, told: Told, *, vocabulary: Vocabulary, trust: str = DATA
) -> tuple[Seed, tuple[Conflict, ...]]:
    """The profile of a competition with what its description adds, and where they disagree.

    Where the data can't tell, the description is believed. Elsewhere `trust` says whose word wins;
    what would not fit the rest (a metric that no task of the kind has) is never taken.
    """
    conflicts: list[Conflict] = []

    def decide(about: str, described: Any, profiled: Any, *, fits: bool = True) -> bool:
        """Whether the description's word is taken; a conflict is noted where they differ."""
        if described == profiled:
            return False
        taken = DESCRIPTION if trust == DESCRIPTION and fits else DATA
        conflicts.append(Conflict(about, str(described), str(profiled), taken))
        return taken == DESCRIPTION

    def scores(metric: SeedMetric | None, task: str) -> bool:
        """Whether a metric is one for a kind of task."""
        word = vocabulary.folder("metrics").get(metric.name) if metric else None
        return word is not None and task in word.traits["TASKS"]

    changes: dict[str, Any] = {}
    if told.task is not None and told.task != seed.task:
        scored = scores(told.metric or seed.metric, told.task)
        if scored and _looks_alike(told.task, seed, vocabulary):
            changes["task"] = told.task
        else:
            decide("task", told.task, seed.task, fits=False)
    task = changes.get("task", seed.task)
    if told.metric is not None:
        fits = scores(told.metric, task)
        must = fits and not scores(seed.metric, task)
        vaguer = fits and _is_vaguer(seed.metric, told.metric)
        named = _named(told.metric), _named(seed.metric)
        if must or vaguer or decide("metric", *named, fits=fits):
            changes["metric"] = told.metric
    if told.modality is not None and decide("modality", told.modality, seed.modality):
        changes["modality"] = told.modality
    kinds = tuple(file.kind for file in seed.files)
    missing = tuple(kind for kind in told.files if kind not in kinds)
    if missing and decide("files", ", ".join(missing), ", ".join(kinds) or "none"):
        changes["files"] = (*seed.files, *(Files(kind) for kind in missing))
    if told.targets and len(told.targets) != len(seed.targets):
        decide("targets", len(told.targets), len(seed.targets), fits=False)
    if told.split is not None:
        changes["split"] = SeedSplit(told.split)
    merged = dataclasses.replace(seed, **changes)
    return _with_submission(merged, told.submission, vocabulary), tuple(conflicts)


def _looks_alike(task: str, seed: Seed, vocabulary: Vocabulary) -> bool:
    """Whether data of a kind of task look like the seed's: classes may have an order, say."""
    words = vocabulary.folder("tasks")
    described, profiled = words[task].traits, words[seed.task].traits
    if any(described[trait] != profiled[trait] for trait in ("FAMILY", "SEVERAL")):
        return False
    if described["CLASSES"] is None or profiled["CLASSES"] is None:
        return bool(described["CLASSES"] == profiled["CLASSES"])
    return bool(described["CLASSES"][0] <= seed.classes)


def _is_vaguer(profiled: SeedMetric, described: SeedMetric) -> bool:
    """Whether a profile's metric is a mere custom, or the same without its parameters."""
    if profiled.known_from == "task":
        return True
    return profiled.name == described.name and not profiled.parameters


def _named(metric: SeedMetric) -> str:
    parameters = ", ".join(_entries(metric.parameters))
    return f"{metric.name} ({parameters})" if parameters else metric.name


def _entries(parameters: Mapping[str, Any]) -> Iterator[str]:
    for name, value in parameters.items():
        yield f"{name} {value}"


def _with_submission(seed: Seed, described: str | None, vocabulary: Vocabulary) -> Seed:
    """The seed with a submission that holds what its metric predicts: its own where that does, else
    the described one, else the usual.
    """
    use = WordUse(seed.metric.name, seed.metric.parameters, ("metric",))
    traits = metric_traits(use, vocabulary)
    if traits is None:
        return seed
    fitting = [word.name for word in fitting_submissions(traits.predicts, seed.task, vocabulary)]
    usual = default_submission(traits.predicts, seed.task, vocabulary)
    wanted = [seed.submission.shape, described, usual.name if usual else None, *fitting]
    shape = next((name for name in wanted if name in fitting), seed.submission.shape)
    if shape == seed.submission.shape:
        return seed
    submission = dataclasses.replace(seed.submission, shape=shape, parameters={})
    return dataclasses.replace(seed, submission=submission)
