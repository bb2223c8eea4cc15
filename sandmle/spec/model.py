"""A spec as frozen data: the only source of a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Spec language version, the value of the key `spec`.
VERSION = 1


@dataclass(frozen=True)
class WordUse:
    """One use of a vocabulary word: its name and the parameters that the author gave.

    `parameters` holds plain JSON-like data (a nested rule is a mapping with `kind`); `path` is
    its place in the spec, such as ("observe", 0).
    """

    kind: str
    parameters: Mapping[str, Any]
    path: tuple[str | int, ...]


@dataclass(frozen=True)
class Split:
    """How rows are divided: `random` (stratified for classes), `group` or `time`, by a factor."""

    kind: str = "random"
    by: str | None = None


@dataclass(frozen=True)
class Dna:
    """The structural DNA of the task. `train` and `test` count rows; `prevalence` is in (0, 1).

    `submission` is None where metric and task say it all.
    """

    modality: str
    task: str
    metric: WordUse
    train: int
    test: int
    submission: WordUse | None = None
    prevalence: float | None = None
    classes: int | None = None
    difficulty: float | None = None
    split: Split = Split()


@dataclass(frozen=True)
class Domain:
    """The world that the task pretends to come from."""

    name: str
    entity: str


@dataclass(frozen=True)
class Target:
    """One target column: a rule over factors, and where its score is cut into classes.

    `quantiles` are ascending, in (0, 1), one fewer than the classes; None leaves the rule's own
    output. `labels` names the classes from the lowest score up; None means 0, 1, 2, ...
    """

    name: str
    rule: WordUse
    quantiles: tuple[float, ...] | None
    labels: tuple[str, ...] | None
    path: tuple[str | int, ...]


@dataclass(frozen=True)
class Thresholds:
    """Scores from which a submission is above the median and wins each medal."""

    median: float
    bronze: float
    silver: float
    gold: float


@dataclass(frozen=True)
class Narrative:
    """What the Technical Writer says; `columns` explains columns by name."""

    title: str
    story: str
    columns: Mapping[str, str]


@dataclass(frozen=True)
class Spec:
    """One task spec, checked. `digest` is the SHA-256 of its meaning: its identity."""

    id: str
    seed: str | None
    random_seed: int
    dna: Dna
    domain: Domain
    factors: Mapping[str, WordUse]
    observe: tuple[WordUse, ...]
    targets: tuple[Target, ...]
    noise: tuple[WordUse, ...]
    thresholds: Thresholds | None
    narrative: Narrative
    provenance: Mapping[str, Any]
    digest: str
