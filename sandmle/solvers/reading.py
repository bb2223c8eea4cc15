"""Reads a task's public folder as any competitor would: from its files alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

#: What a metric wants to be given, for the metrics that are known by name.
PREDICTED_BY_METRIC: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "average_precision",
            "brier_score",
            "log_loss",
            "mean_column_log_loss",
            "mean_column_roc_auc",
            "roc_auc",
        ),
        "probability",
    ),
    **dict.fromkeys(
        (
            "accuracy",
            "balanced_accuracy",
            "exact_match",
            "f_beta",
            "macro_f1",
            "matthews_correlation",
            "quadratic_weighted_kappa",
        ),
        "label",
    ),
    **dict.fromkeys(
        ("mae", "pearson", "pinball_loss", "r2", "rmse", "rmsle", "spearman"), "number"
    ),
}

#: How lines such as `Metric: rmse` are looked for.
STATED = re.IGNORECASE | re.MULTILINE

IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif")

#: More distinct values than this in an all-number target mean regression, not classes.
MOST_CLASSES = 20


@dataclass(frozen=True)
class Competition:
    """A public folder, read. N = train + test rows; the training rows come first.

    `frame` holds the feature columns of all N rows and `ids` their ids; `labels` the targets of
    the training rows as text, as they stand in the file; `classes` the class names (empty for
    regression), in ascending order where they are numbers and in the description's order else.
    `task`, `metric` and `format` are the words that the description states, `settings` the metric's
    numbers and `choices` what the format's words are set to, as text. `predicts` is "probability",
    "label" or "number"; `columns` are the submission's columns after the id.
    `images` has one path a row for each series of images (see find_images); `tables` the other
    CSV files that carry the id column.
    """

    folder: Path
    task: str
    metric: str
    settings: Mapping[str, float]
    format: str
    choices: Mapping[str, str]
    identifier: str
    ids: tuple[str, ...]
    train: int
    frame: pd.DataFrame
    labels: pd.DataFrame
    classes: tuple[str, ...]
    predicts: str
    columns: tuple[str, ...]
    images: Mapping[str, tuple[Path, ...]]
    tables: Mapping[str, pd.DataFrame]

    @property
    def targets(self) -> tuple[str, ...]:
        """The target columns of train.csv."""
        return tuple(self.labels.columns)

    @property
    def is_classification(self) -> bool:
        """Whether the targets are classes."""
        return self.predicts != "number"

    @property
    def has_column_per_class(self) -> bool:
        """Whether the submission asks for the probability of every class of one target."""
        return self.columns != self.targets

    @property
    def has_log_scale(self) -> bool:
        """Whether errors count on the scale of log(1 + number)."""
        return self.metric == "rmsle" and bool((self.labels.astype(float) > -1).to_numpy().all())

    def responses(self) -> dict[str, np.ndarray]:
        """Each target's training values: class indices into `classes`, or numbers as models are
        to learn them (see has_log_scale)."""
        if not self.is_classification:
            numbers = {name: self.labels[name].astype(float).to_numpy() for name in self.targets}
            return {
                name: np.log1p(values) if self.has_log_scale else values
                for name, values in numbers.items()
            }
        position = {name: index for index, name in enumerate(self.classes)}
        return {name: self.labels[name].map(position).to_numpy(int) for name in self.targets}


def read_competition(folder: Path) -> Competition:
    """Reads a public folder in MLE-bench's layout.

    Raises FileNotFoundError where train.csv, test.csv or sample_submission.csv is missing.
    """
    sample = read_table(folder / "sample_submission.csv")
    identifier, columns = sample.columns[0], tuple(sample.columns[1:])
    train, test = read_table(folder / "train.csv"), read_table(folder / "test.csv")
    targets = [name for name in train.columns if name not in test.columns]
    features = [name for name in test.columns if name != identifier]
    ids = (*train[identifier], *test[identifier])
    description_file = folder / "description.md"
    description = description_file.read_text("utf-8") if description_file.exists() else ""
    metric = stated_word(description, "metric")
    predicts = guess_predicts(metric, train[targets], sample[list(columns)])
    return Competition(
        folder=folder,
        task=stated_word(description, "task"),
        metric=metric,
        settings=stated_numbers(description, "metric"),
        format=stated_word(description, "format"),
        choices=stated_choices(description, "format"),
        identifier=identifier,
        ids=ids,
        train=len(train),
        frame=pd.concat([train[features], test[features]], ignore_index=True),
        labels=train[targets],
        classes=() if predicts == "number" else ordered_classes(train[targets], description),
        predicts=predicts,
        columns=columns,
        images=find_images(folder, ids),
        tables=find_tables(folder, identifier),
    )


def read_table(path: Path) -> pd.DataFrame:
    """A CSV file as text; only an empty cell is missing, so that a class may be called None."""
    return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])


def stated_word(description: str, what: str) -> str:
    """The name on the description's line `Metric: ...`, or Task, or Format; "" without the line."""
    found = re.search(rf"^\W*{what}\W*:\W*(\w[\w -]*)", description, STATED)
    return re.sub(r"\W+", "_", found[1].strip().lower()) if found else ""


def stated_choices(description: str, what: str) -> dict[str, str]:
    """What the same line puts in brackets: `Format: run_lengths (order = columns)`."""
    line = re.search(rf"^\W*{what}\W*:(.*)$", description, STATED)
    return dict(re.findall(r"(\w+) = ([\w.-]+)", line[1])) if line else {}


def stated_numbers(description: str, what: str) -> dict[str, float]:
    """Those of them that are numbers: `Metric: f_beta (beta = 2.0)`."""
    return {
        name: float(value)
        for name, value in stated_choices(description, what).items()
        if re.fullmatch(r"-?\d+(\.\d+)?", value)
    }


def guess_predicts(metric: str, labels: pd.DataFrame, sample: pd.DataFrame) -> str:
    """What a submission holds, by the metric's name, else by the looks of labels and sample."""
    if metric in PREDICTED_BY_METRIC:
        return PREDICTED_BY_METRIC[metric]
    numbers = labels.apply(pd.to_numeric, errors="coerce")
    if list(sample.columns) != list(labels.columns):
        return "probability"
    if numbers.isna().to_numpy().any():
        return "label"
    is_whole = bool((numbers % 1 == 0).to_numpy().all())
    if not is_whole or len(np.unique(numbers)) > MOST_CLASSES:
        return "number"
    shown = sample.apply(pd.to_numeric, errors="coerce")
    return "label" if bool((shown % 1 == 0).to_numpy().all()) else "probability"


def ordered_classes(labels: pd.DataFrame, description: str) -> tuple[str, ...]:
    """The distinct labels: numbers ascending, names in the order that the description has."""
    found = sorted(set(labels.fillna("").to_numpy().ravel()))
    if all(re.fullmatch(r"-?\d+(\.\d+)?", name) for name in found):
        return tuple(sorted(found, key=float))
    about = description.partition("## Target")[2] or description
    places = [re.search(rf"[`\"']{re.escape(name)}[`\"']", about) for name in found]
    if all(places):
        order = {name: place.start() for name, place in zip(found, places, strict=True) if place}
        return tuple(sorted(found, key=order.__getitem__))
    return tuple(found)


def find_images(folder: Path, ids: Sequence[str]) -> dict[str, tuple[Path, ...]]:
    """One image a row, found by the id in its path, for every series of images that has all rows.

    A series is named by its paths, with `{id}` for the id: `slices/{id}_2.png`.
    """
    known = frozenset(ids)
    series: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in IMAGE_SUFFIXES or not path.is_file():
            continue
        found_id = id_in_path(path.relative_to(folder).as_posix(), known)
        if found_id is not None:
            identifier, name = found_id
            series.setdefault(name, {})[identifier] = path
    return {
        name: tuple(found[identifier] for identifier in ids)
        for name, found in sorted(series.items(), key=lambda entry: (len(entry[0]), entry[0]))
        if len(found) == len(known)
    }


def id_in_path(path: str, known: frozenset[str]) -> tuple[str, str] | None:
    """The known id that a file, its name before some `_` or `-`, or a folder is.

    With the path in which `{id}` stands for it.
    """
    parts = path.split("/")
    for place, part in reversed(list(enumerate(parts))):
        stem = part.rsplit(".", 1)[0]
        for end in (len(stem), *(found.start() for found in re.finditer("[_-]", stem))):
            if stem[:end] in known:
                name = "/".join([*parts[:place], "{id}" + part[end:], *parts[place + 1 :]])
                return stem[:end], name
    return None


def find_tables(folder: Path, identifier: str) -> dict[str, pd.DataFrame]:
    """The CSV files beside the three known ones that carry the id column, by stem."""
    known = {"train.csv", "test.csv", "sample_submission.csv"}
    found = {}
    for path in sorted(folder.rglob("*.csv")):
        if path.name in known:
            continue
        if identifier in pd.read_csv(path, nrows=0).columns:
            found[path.stem] = pd.read_csv(path, dtype={identifier: str})
    return found
