"""A seed as frozen data: the structural DNA of a real task, stripped of its meaning.

Nothing here names, quotes or repeats anything of the original: columns are numbered by kind, and
every figure is a count, a share, an order of magnitude or a measure of shape.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Version of the seed file format, the value of the key `seed`.
VERSION = 1

COLUMN_KINDS = ("number", "category", "text", "date", "series", "file")
FILE_KINDS = ("image", "audio", "document", "series", "table")

#: How the metric became known, from the surest source to a mere custom of the task type.
METRIC_SOURCES = ("config", "description", "task")

SUBMISSION_SHAPES = (
    "probability",
    "label",
    "number",
    "class_probabilities",
    "label_probabilities",
)


@dataclass(frozen=True)
class SeedMetric:
    """The metric's usual name (`roc_auc`), and the source that told it."""

    name: str
    known_from: str


@dataclass(frozen=True)
class Sizes:
    """Rows of the original; `test` counts the rows to predict."""

    train: int
    test: int


@dataclass(frozen=True)
class Submission:
    """What a row to submit looks like; `columns` counts the predicted ones, without the id."""

    shape: str
    columns: int


@dataclass(frozen=True)
class SeedTarget:
    """One target column. `shares` are the classes' shares, largest first; None for a number.

    `magnitude` is the power of ten of the typical absolute value and `skewness` the third
    standardised moment, both None for a class.
    """

    name: str
    kind: str
    missing: float = 0.0
    shares: tuple[float, ...] | None = None
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

    - image: `width`, `height` (pixels, median), `channels`.
    - audio: `length` (readings, median), `channels`.
    - document: `words` (median).
    - series: a table with several rows a sample: `length` rows a sample (median), `channels`
      number columns, `smoothness` as in Column.
    - table: any other table: `columns`.
    """

    kind: str
    width: int | None = None
    height: int | None = None
    channels: int | None = None
    length: int | None = None
    smoothness: float | None = None
    words: int | None = None
    columns: int | None = None


@dataclass(frozen=True)
class Seed:
    """The structural DNA of one real task. `name` is the stem of its file: the user's choice."""

    name: str
    modality: str
    task: str
    metric: SeedMetric
    sizes: Sizes
    submission: Submission
    targets: tuple[SeedTarget, ...]
    columns: tuple[Column, ...]
    correlation: Correlation | None = None
    files: tuple[Files, ...] = ()
