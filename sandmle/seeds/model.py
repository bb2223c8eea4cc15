"""A seed as frozen data: the structural DNA of a real task, stripped of its meaning.

Nothing here names, quotes or repeats anything of the original: columns are numbered by kind, and
every figure is a count, a share, an order of magnitude or a measure of shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Version of the seed file format, the value of the key `seed`.
VERSION = 1

COLUMN_KINDS = ("number", "category", "text", "date", "series", "file")
FILE_KINDS = ("image", "audio", "document", "series", "table", "graph")

#: How the metric became known, from the surest source to a mere custom of the task type.
METRIC_SOURCES = ("config", "description", "task")

#: How samples depend on each other where they do: they share a group, or follow in time.
SPLIT_KINDS = ("group", "time")


@dataclass(frozen=True)
class SeedMetric:
    """The metric's usual name (`roc_auc`), its parameters, and the source that told of it.

    `parameters` are those of the vocabulary's metric as a spec gives them; a combinator's `of` is
    the name or the use of another metric. Factors that a parameter refers to are left out.
    """

    name: str
    known_from: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sizes:
    """Samples of the original, or their order of magnitude; `test` counts those to predict."""

    train: int
    test: int


@dataclass(frozen=True)
class Submission:
    """What a row to submit looks like; `columns` counts the predicted ones, without the id.

    `shape` is a submission word of the vocabulary, `parameters` are its own.
    """

    shape: str
    columns: int
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SeedSplit:
    """Why test samples are unlike the training ones: of other groups, or later ones."""

    kind: str


@dataclass(frozen=True)
class SeedTarget:
    """One target. `kind` is the type that the vocabulary has for it: number, category, mask, ...

    `shares` are the classes' shares, largest first; where they are many or not known, `classes`
    counts the classes. `magnitude` is the power of ten of a number's typical absolute value and
    `skewness` its third standardised moment. What does not apply is None.
    """

    name: str
    kind: str
    missing: float = 0.0
    shares: tuple[float, ...] | None = None
    classes: int | None = None
    magnitude: int | None = None
    skewness: float | None = None


@dataclass(frozen=True)
class Column:
    """One column that solvers see, by kind; what does not apply to the kind is None.

    - `missing`: share of empty cells.
    - `cardinality`: distinct values of a category.
    - `balance`: entropy of a category over the largest possible, 1 where all levels are equal.
    - `magnitude`, `skewness`: as in SeedTarget; numbers and series.
    - `whole`: whether a number is always an integer.
    - `words`: median words of a text.
    - `length`, `smoothness`: readings of a series held in so many neighbouring columns, and the
      correlation between one reading and the next.
    - `dependence`: how much the column alone tells of the target, 0 to 1, linear or not.
    - `rank_correlation`: size of the monotone part of it; None where the target has no order.
    """

    name: str
    kind: str
    missing: float = 0.0
    cardinality: int | None = None
    balance: float | None = None
    magnitude: int | None = None
    skewness: float | None = None
    whole: bool | None = None
    words: int | None = None
    length: int | None = None
    smoothness: float | None = None
    dependence: float | None = None
    rank_correlation: float | None = None


@dataclass(frozen=True)
class Correlation:
    """Absolute rank correlation among the number columns: the mean, and of the closest pair."""

    mean: float
    strongest: float


@dataclass(frozen=True)
class Files:
    """One family of files beside the main table; what does not apply to the kind is None.

    - `count`: files a sample, where they are several.
    - image: `width`, `height` (pixels, median), `channels`.
    - audio: `length` (readings, median), `channels`.
    - document: `words` (median).
    - series: a table with several rows a sample: `length` rows a sample (median), `channels`
      number columns, `smoothness` as in Column.
    - table: any other table: `columns`.
    - graph: `nodes` a sample (median).
    """

    kind: str
    count: int | None = None
    width: int | None = None
    height: int | None = None
    channels: int | None = None
    length: int | None = None
    smoothness: float | None = None
    words: int | None = None
    columns: int | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class Seed:
    """The structural DNA of one real task. `name` is the stem of its file: the user's choice.

    `benchmark` is the collection of competitions that it belongs to, under the same name;
    `simplified` says what of the original a task of its kind must leave out to stay small.
    """

    name: str
    modality: str
    task: str
    metric: SeedMetric
    sizes: Sizes | None
    submission: Submission
    targets: tuple[SeedTarget, ...]
    columns: tuple[Column, ...]
    correlation: Correlation | None = None
    files: tuple[Files, ...] = ()
    split: SeedSplit | None = None
    benchmark: str | None = None
    simplified: str | None = None

    @property
    def classes(self) -> int:
        """Classes of the first target; 0 where it has none."""
        target = self.targets[0]
        return len(target.shares or ()) or target.classes or 0
