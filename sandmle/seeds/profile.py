"""A real competition folder in, its structural DNA out: no name, text or value survives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from sandmle.seeds.columns import as_numbers, profile_columns, shape_of
from sandmle.seeds.competition import Competition, fault, read_competition
from sandmle.seeds.files import profile_files
from sandmle.seeds.metric import customary_metric, told_metric
from sandmle.seeds.model import (
    Column,
    Files,
    Seed,
    SeedMetric,
    SeedTarget,
    Sizes,
    Submission,
)

#: Distinct whole numbers up to which a target counts as classes where no metric tells.
_CLASSES_GUESSED = 10

#: Classes beyond which a text target is free text, not a class.
_CLASSES_AT_MOST = 200

#: Columns of numbers and categories from which a task of files or texts is a mixed one.
_MIXED_FROM = 3

#: Words from which a text column carries the task; shorter ones are names and titles.
_LONG_TEXT = 8

_METRICS_OF_CLASSES = {"accuracy", "balanced_accuracy", "log_loss", "macro_f1", "micro_f1"}
_METRICS_OF_NUMBERS = {"rmse", "rmsle", "mae", "r2", "smape", "mape", "spearman", "pearson"}
_METRICS_OF_PROBABILITIES = {"roc_auc", "log_loss", "average_precision", "gini"}


def profile_competition(folder: Path, *, name: str = "seed", targets: Sequence[str] = ()) -> Seed:
    """The structural DNA of the prepared competition in `folder` (MLE-bench's layout).

    `name` is the user's name for the seed; it is the stem of the file that dump_seed writes.
    `targets` are believed to be the columns to predict where the files leave open which are.
    Raises SpecError naming the file (and line) of `folder` that is missing, odd or unreadable.
    """
    competition = read_competition(folder, targets=targets)
    metric = told_metric(competition.grader, competition.description)
    task = _task(competition, metric)
    metric = metric or customary_metric(task)
    described = [_target(competition, task, place) for place in range(len(_names(competition)))]
    files = profile_files(competition.files, competition.identifier)
    columns, correlation = profile_columns(
        _shown(competition),
        _target_values(competition, task),
        ordered=task != "multiclass",
        file_names=frozenset(n for path in competition.files for n in (path.name, path.stem)),
    )
    return Seed(
        name=name,
        modality=_modality(columns, files),
        task=task,
        metric=metric,
        sizes=Sizes(competition.train_rows, competition.test_rows),
        submission=Submission(_shape(competition, task, metric), len(competition.outputs)),
        targets=tuple(described),
        columns=columns,
        correlation=correlation,
        files=files,
    )


def _names(competition: Competition) -> tuple[str, ...]:
    """The target columns; columns of one-hot classes are one target, the first stands for it."""
    return competition.targets[:1] if _one_hot(competition) else competition.targets


def _one_hot(competition: Competition) -> bool:
    """Whether the targets are 0/1 columns of which exactly one is 1 in every row."""
    if len(competition.targets) < 2:
        return False
    values = [as_numbers(competition.train[name]) for name in competition.targets]
    if any(value is None for value in values):
        return False
    stacked = np.column_stack([value for value in values if value is not None])
    return bool(np.isin(stacked, (0, 1)).all() and (stacked.sum(axis=1) == 1).all())


def _shown(competition: Competition) -> pd.DataFrame:
    """The columns of train that a solver may use: those of test where there is one."""
    left_out = {competition.identifier, *competition.targets}
    shown = competition.train.columns if competition.test is None else competition.test.columns
    return competition.train[
        [name for name in competition.train.columns if name in set(shown) - left_out]
    ]


def _task(competition: Competition, metric: SeedMetric | None) -> str:
    """The task type; refuses targets that are free text or all alike."""
    if _one_hot(competition):
        return "multiclass"
    path = competition.folder / "train.csv"
    told = metric.name if metric else ""
    kinds = set()
    for name in competition.targets:
        cells = competition.train[name].dropna()
        values = as_numbers(competition.train[name])
        levels = cells.nunique()
        if levels < 2:
            raise fault(path, f"the target {name!r} has fewer than two distinct values")
        if levels == 2 and told not in _METRICS_OF_NUMBERS:
            kinds.add("binary")
        elif values is not None:
            kinds.add(_number_task(cells, values, told))
        elif levels > min(_CLASSES_AT_MOST, max(2, len(cells) // 2)):
            raise fault(path, f"the target {name!r} is free text; expected classes or numbers")
        else:
            kinds.add("multiclass")
    if len(competition.targets) == 1 or kinds == {"regression"}:
        return min(kinds)
    if kinds == {"binary"}:
        return "multilabel"
    raise fault(path, "several targets must all be 0/1 or all be numbers")


def _number_task(cells: pd.Series[Any], values: npt.NDArray[Any], told: str) -> str:
    """The task of one target of more than two distinct numbers."""
    if told == "quadratic_weighted_kappa":
        return "ordinal"
    whole = bool(np.all(values[np.isfinite(values)] % 1 == 0))
    few = cells.nunique() <= (_CLASSES_AT_MOST if told in _METRICS_OF_CLASSES else _CLASSES_GUESSED)
    return "multiclass" if whole and few and told not in _METRICS_OF_NUMBERS else "regression"


def _target(competition: Competition, task: str, place: int) -> SeedTarget:
    name = competition.targets[place]
    cells = competition.train[name]
    title, missing = f"target_{place + 1}", round(float(cells.isna().mean()), 2)
    if task == "regression":
        values = as_numbers(cells)
        assert values is not None
        return SeedTarget(title, "number", missing, **shape_of(values))
    shares = pd.Series(_classes(competition, name)).value_counts(normalize=True)
    return SeedTarget(
        title, "category", missing, tuple(round(float(share), 3) for share in shares.to_numpy())
    )


def _classes(competition: Competition, name: str) -> npt.NDArray[Any]:
    """Class indices of one target, in the order of numeric labels where they are numbers."""
    if _one_hot(competition):
        hot = competition.train[list(competition.targets)].astype(float).to_numpy()
        return np.asarray(hot.argmax(axis=1))
    cells = competition.train[name].dropna()
    values = as_numbers(cells)
    codes, _ = pd.factorize(cells if values is None else values, sort=True)
    return np.asarray(codes)


def _target_values(competition: Competition, task: str) -> npt.NDArray[Any]:
    """Targets as floats, shape (rows, targets); classes as indices, unlabelled rows as -1."""
    columns = []
    for name in _names(competition):
        cells = competition.train[name]
        if task == "regression":
            values = as_numbers(cells)
            assert values is not None
            columns.append(values)
        else:
            codes = np.full(len(cells), -1.0)
            codes[cells.notna().to_numpy()] = _classes(competition, name)
            columns.append(codes)
    return np.column_stack(columns)


def _shape(competition: Competition, task: str, metric: SeedMetric) -> str:
    """The shape of the submission, told by its columns and by what the metric wants."""
    if task == "regression":
        return "number"
    if task == "multilabel":
        return "label_probabilities"
    if len(competition.outputs) > 1:
        return "class_probabilities"
    if task == "binary" and metric.name in _METRICS_OF_PROBABILITIES:
        return "probability"
    return "label"


def _modality(columns: Sequence[Column], files: Sequence[Files]) -> str:
    """What a solver mainly looks at; mixed where rich columns stand beside files or texts."""
    kinds = {file.kind for file in files} - {"table"}
    found = {"text" if kind == "document" else kind for kind in kinds}
    if any(column.kind == "series" for column in columns):
        found.add("series")
    plain = sum(column.kind in ("number", "category", "date") for column in columns)
    words = max((column.words or 0 for column in columns), default=0)
    if words >= _LONG_TEXT or (words and not plain):
        found.add("text")
    if not found:
        return "tabular"
    return "mixed" if len(found) > 1 or plain >= _MIXED_FROM else next(iter(found))
