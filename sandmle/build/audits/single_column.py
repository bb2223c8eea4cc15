"""Nothing that is one column, one gap or one number of a file wins gold: it would be the answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.encodings import pixels
from sandmle.build.ladder import csv_content, is_plain
from sandmle.solvers.models import indicators, is_class, linear
from sandmle.solvers.submitting import submission

CLAIM = "no single column reaches gold"
COST = "cheap"

#: Depth of the tree on a single column that must not reach gold.
TREE_DEPTH = 3
#: Of all columns those are graded that explain most of the training labels.
MOST_GRADED = 3
#: What explains less of them, of their spread, wins no gold.
LEAST_EXPLAINED = 0.1
#: A look at so many pictures comes first.
FIRST_PICTURES = 60
#: Equal parts into which numbers are cut to see how much they explain.
BINS = 12


def examine(task: Examined) -> Finding:
    """Submits a tree and a line on each number, and means of the labels on each level."""
    competition = task.competition
    if not is_plain(task.prepared.dataset):
        return Finding(True, "not looked at: the target is more than a number or a class")
    candidates = _candidates(task)
    responses = competition.responses()
    outcome = np.concatenate(
        [indicators(response, len(competition.classes)) for response in responses.values()], axis=1
    )
    train = competition.train
    candidates |= _brightness(task, outcome)
    explained = {name: _explained(values[:train], outcome) for name, values in candidates.items()}
    promising = [name for name, share in explained.items() if share >= LEAST_EXPLAINED]
    best = sorted(promising, key=lambda name: -explained[name])[:MOST_GRADED]
    winners = []
    for name in best:
        for predict in (_tree, _line) if candidates[name].dtype.kind == "f" else (_means,):
            predictions = {
                target: predict(candidates[name], response, len(competition.classes), train)
                for target, response in responses.items()
            }
            grade = task.grader.grade(csv_content(submission(competition, predictions)))
            if grade.medal == "gold":
                winners.append(f"{name}: {grade.score}")
                break
    return Finding(not winners, ", ".join(winners) or f"{len(candidates)} columns tried")


def _candidates(task: Examined) -> dict[str, np.ndarray]:
    """Columns of numbers without gaps, and of levels as integers, by name."""
    found: dict[str, np.ndarray] = {}
    for name, values in task.sheet.numbers.items():
        median = np.nanmedian(values) if np.isfinite(values).any() else 0.0
        found[name] = np.where(np.isfinite(values), values, median)
    for name, cells in task.sheet.categories.items():
        levels, level = np.unique(cells, return_inverse=True)
        if len(levels) < len(cells) / 2:
            found[name] = level
    for name, empty in task.sheet.gaps.items():
        found[f"gaps in {name}"] = empty.astype(int)
    return {name: values for name, values in found.items() if np.ptp(values)}


def _brightness(task: Examined, outcome: np.ndarray) -> dict[str, np.ndarray]:
    """The mean pixel of each picture of a series, where some of train's go with their labels."""
    found = {}
    every = len(task.competition.ids)
    for series in task.series:
        if "width" not in task.encodings[series.name][0] or len(series.rows) < every:
            continue
        first = slice(min(task.competition.train, FIRST_PICTURES))
        if _explained(_means_of(series.contents[first]), outcome[first]) >= LEAST_EXPLAINED:
            found[f"mean of {series.name}"] = _means_of(series.contents)
    return found


def _means_of(pictures: Sequence[bytes]) -> np.ndarray:
    return np.array([np.frombuffer(pixels(each), np.uint8).mean() for each in pictures])


def _explained(values: np.ndarray, outcome: np.ndarray) -> float:
    """The largest share of an outcome's spread that lies between levels, or parts, of a column."""
    if values.dtype.kind == "f":
        values = np.searchsorted(np.quantile(values, np.arange(1, BINS) / BINS), values)
    _, level, counts = np.unique(values, return_inverse=True, return_counts=True)
    means = np.zeros((len(counts), outcome.shape[1]))
    np.add.at(means, level, outcome)
    means /= counts[:, None]
    spread = np.maximum(outcome.var(axis=0), 1e-12)
    between = (counts[:, None] * (means - outcome.mean(axis=0)) ** 2).sum(axis=0) / len(values)
    # Levels explain as much as they have rows by chance alone.
    return float((between / spread).max() - (len(counts) - 1) / (len(values) - 1))


def _tree(values: np.ndarray, response: np.ndarray, classes: int, train: int) -> np.ndarray:
    """A shallow tree's predictions for the rows after the first `train`."""
    known, unknown = values[:train, None], values[train:, None]
    if not is_class(response):
        tree = DecisionTreeRegressor(max_depth=TREE_DEPTH, random_state=0).fit(known, response)
        return np.asarray(tree.predict(unknown)).reshape(len(unknown), -1)
    tree = DecisionTreeClassifier(max_depth=TREE_DEPTH, random_state=0).fit(known, response)
    found = np.zeros((len(unknown), classes))
    found[:, np.unique(response)] = tree.predict_proba(unknown)
    return found


def _line(values: np.ndarray, response: np.ndarray, classes: int, train: int) -> np.ndarray:
    """A linear model's predictions from the ranks: unlike a tree's they have no ties."""
    ranks = (rankdata(values)[:, None] / len(values) - 0.5) * np.sqrt(12)
    return linear(ranks[:train], response, classes, ranks[train:], strength=10.0)


def _means(levels: np.ndarray, response: np.ndarray, classes: int, train: int) -> np.ndarray:
    """The means of each level's training labels, drawn by one row towards the mean of all."""
    outcome = indicators(response, classes)
    counts = np.bincount(levels[:train], minlength=levels.max() + 1)[:, None]
    total = np.zeros((len(counts), outcome.shape[1]))
    np.add.at(total, levels[:train], outcome)
    means = (total + outcome.mean(axis=0)) / (counts + 1)
    return np.asarray(means[levels[train:]])
