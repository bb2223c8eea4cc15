"""Reads a task's public folder as any competitor would: from its files alone."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from sandmle.solvers.directions import sphere_points
from sandmle.solvers.files import find_images, find_tables, joined, looked_up, read_table
from sandmle.solvers.stating import (
    PREDICTED_BY_FORMAT,
    find_classes,
    guess_format,
    stated_choices,
    stated_metric,
    stated_numbers,
    stated_word,
    tag_columns,
)

#: Metrics of errors in proportion to the number, by words of their names.
RELATIVE = re.compile("rmspe|mape|smape|percentage|relative")

#: A part of a competition has at least so many training rows, and of each class so many.
FEWEST_ROWS = 8
FEWEST_OF_CLASS = 2


@dataclass(frozen=True)
class Competition:
    """A public folder, read. N = train + test rows; the training rows come first.

    `frame` holds the feature columns of all N rows and `ids` their ids; `labels` the targets of
    the training rows as text, as they stand in the file (tags as columns of 0 and 1); `classes` the
    class names (empty for numbers), in ascending order where they are numbers and in the
    description's order else.
    `task`, `metric` and `format` are the words that the description states (of a nested metric the
    innermost), `settings` the metric's numbers and `choices` what the format's words are set to, as
    text. `predicts` is "probability", "label" or "number", "" for other outputs; `columns` are the
    submission's columns after the id.
    `images` has one path a row for each series of images (see find_images); `tables` the other
    CSV files that carry the id column.
    All chance in the models of this competition, and in how they are validated, comes of
    `random_seed`.
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
    random_seed: int = 0

    @property
    def targets(self) -> tuple[str, ...]:
        """The target columns of train.csv."""
        return tuple(self.labels.columns)

    @property
    def is_classification(self) -> bool:
        """Whether the targets are classes."""
        return self.predicts in ("probability", "label") and not self.is_distribution

    @property
    def is_distribution(self) -> bool:
        """Whether the training rows show shares of all classes, a column a class."""
        return self.format == "class_probabilities" and len(self.targets) > 1

    @functools.cached_property
    def is_relative(self) -> bool:
        """Whether errors count in proportion to the number, and all numbers are positive."""
        is_positive = bool((self.labels.astype(float) > 0).to_numpy().all())
        return RELATIVE.search(self.metric) is not None and is_positive

    @functools.cached_property
    def has_log_scale(self) -> bool:
        """Whether errors count on the scale of log(1 + number)."""
        is_logarithmic = self.metric in ("rmsle", "msle")
        return is_logarithmic and bool((self.labels.astype(float) > -1).to_numpy().all())

    @property
    def is_direction(self) -> bool:
        """Whether the two targets are azimuth and zenith of one direction."""
        return self.metric == "angular_error" and len(self.targets) == 2

    @functools.cached_property
    def queries(self) -> np.ndarray | None:
        """For rankings the query of each of the N rows, None where no column tells."""
        if self.task != "ranking":
            return None
        name = groups_apart(self.frame, self.train)
        return None if name is None else self.frame[name].fillna("").to_numpy(str)

    def responses(self) -> dict[str, np.ndarray]:
        """Each target's training values: class indices into `classes`, or what models learn.

        Numbers are on the scale on which errors count (see `shown`), less their query's mean where
        only the order within a query counts. A distribution over classes is one target, of log
        shares (rows, classes); a direction is three, its point on the unit sphere.
        """
        return self._responses

    @functools.cached_property
    def _responses(self) -> dict[str, np.ndarray]:
        if self.is_distribution:
            shares = self.labels[list(self.classes)].astype(float).to_numpy()
            return {"shares": log_shares(shares)}
        if self.is_classification:
            position = {name: index for index, name in enumerate(self.classes)}
            return {name: self.labels[name].map(position).to_numpy(int) for name in self.targets}
        numbers = {name: self.labels[name].astype(float).to_numpy() for name in self.targets}
        if self.is_direction:
            return sphere_points(*numbers.values())
        if self.queries is not None:
            query = self.queries[: self.train]
            means = {name: pd.Series(found).groupby(query) for name, found in numbers.items()}
            return {
                name: numbers[name] - grouped.transform("mean").to_numpy()
                for name, grouped in means.items()
            }
        if self.is_relative:
            return {name: np.log(values) for name, values in numbers.items()}
        if self.has_log_scale:
            return {name: np.log1p(values) for name, values in numbers.items()}
        return numbers

    def with_seed(self, random_seed: int) -> Competition:
        """The same competition, for models of another seed."""
        return replace(self, random_seed=random_seed)

    def part(self, share: float) -> Competition:
        """The same competition where only a share of the training rows is known, the test rows all.

        They are drawn by `random_seed`: at least FEWEST_ROWS and FEWEST_OF_CLASS of each class of
        each target, as far as there are so many. Raises ValueError unless 0 < share <= 1.
        """
        if not 0 < share <= 1:
            raise ValueError(f"expected a share of the training rows above 0, at most 1: {share}")
        count = max(FEWEST_ROWS, round(share * self.train))
        if count >= self.train:
            return self
        drawn = np.random.default_rng(self.random_seed).permutation(self.train)
        needed = list(self._rows_of_all_classes(drawn))
        others = drawn[~np.isin(drawn, needed)]
        known = np.sort([*needed, *others[: max(0, count - len(needed))]]).astype(int)
        rows = np.append(known, np.arange(self.train, len(self.ids)))
        ids = tuple(self.ids[row] for row in rows)
        return replace(
            self,
            ids=ids,
            train=len(known),
            frame=self.frame.iloc[rows].reset_index(drop=True),
            labels=self.labels.iloc[known].reset_index(drop=True),
            images={name: tuple(paths[row] for row in rows) for name, paths in self.images.items()},
            tables={
                name: table[table[self.identifier].isin(ids)].reset_index(drop=True)
                for name, table in self.tables.items()
            },
        )

    def _rows_of_all_classes(self, drawn: np.ndarray) -> Iterator[int]:
        """Those of the drawn training rows that bring a class which too few before them have."""
        if not self.is_classification:
            return
        cells = self.labels.fillna("").to_numpy(str)
        seen = Counter[tuple[int, str]]()
        for row in drawn:
            brought = list(enumerate(cells[row]))
            if any(seen[entry] < FEWEST_OF_CLASS for entry in brought):
                yield int(row)
                seen.update(brought)

    def shown(self, values: np.ndarray) -> np.ndarray:
        """Numbers as a submission shows them, from the scale of `responses`."""
        if self.is_relative:
            return np.asarray(np.exp(values))
        return np.asarray(np.expm1(values)) if self.has_log_scale else values


def read_competition(folder: Path, *, random_seed: int = 0) -> Competition:
    """Reads a public folder in MLE-bench's layout.

    `random_seed` is what the chance in models comes of.

    Raises FileNotFoundError where train.csv, test.csv or sample_submission.csv is missing.
    """
    sample = read_table(folder / "sample_submission.csv")
    identifier, columns = sample.columns[0], tuple(sample.columns[1:])
    train, test = read_table(folder / "train.csv"), read_table(folder / "test.csv")
    features = [name for name in test.columns if name != identifier]
    ids = (*train[identifier], *test[identifier])
    description_file = folder / "description.md"
    description = description_file.read_text("utf-8") if description_file.exists() else ""
    metric = stated_metric(description)
    labels = train[[name for name in train.columns if name not in test.columns]]
    form = stated_word(description, "format") or guess_format(metric, labels, sample, ids)
    if form == "tags":
        labels = tag_columns(labels)
    predicts = PREDICTED_BY_FORMAT.get(form, "")
    tables, lookups = find_tables(folder, identifier, ids)
    frame = pd.concat([train[features], test[features]], ignore_index=True)
    return Competition(
        folder=folder,
        task=stated_word(description, "task"),
        metric=metric,
        settings=stated_numbers(description, "metric"),
        format=form,
        choices=stated_choices(description, "format"),
        identifier=identifier,
        ids=ids,
        train=len(train),
        frame=joined(frame, lookups),
        labels=labels,
        classes=find_classes(form, predicts, labels, columns, description),
        predicts=predicts,
        columns=columns,
        images=find_images(folder, ids),
        tables={name: looked_up(table, lookups) for name, table in tables.items()},
        random_seed=random_seed,
    )


def log_shares(shares: np.ndarray) -> np.ndarray:
    """Logarithms of shares (rows, classes), less their mean; none is taken to be below 1%."""
    logarithms = np.log(np.maximum(shares, 0.01))
    return np.asarray(logarithms - logarithms.mean(axis=1, keepdims=True))


def groups_apart(frame: pd.DataFrame, train: int) -> str | None:
    """The column whose levels have several rows each, none of them in both train and test."""
    for name in frame.columns:
        cells = frame[name].fillna("")
        known = set(cells[:train])
        if 3 <= len(known) <= train / 2 and known.isdisjoint(cells[train:]):
            return str(name)
    return None
