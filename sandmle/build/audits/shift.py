"""Train and test show the same, unless the spec splits them by group or by time."""

from __future__ import annotations

import numpy as np
from scipy.special import kolmogorov
from scipy.stats import chi2, norm

from sandmle.build.auditing import Examined, Finding
from sandmle.build.evidence.associations import LEAST_CHANCE, Deviation, association, deviations
from sandmle.build.evidence.traits import number_traits, together

CLAIM = "train and test show the same"
COST = "cheap"

#: Levels of fewer rows, train and test together, are looked at as one.
FEWEST_OF_LEVEL = 12


def examine(task: Examined) -> Finding:
    """Compares each column, each second table and the sizes of files between train and test.

    Of numbers the shape of the distribution, and how high and how far from the middle they lie.

    No word knows which sample trains, so that only a split by group or time declares a shift.
    """
    split = task.prepared.spec.dna.split
    if split.kind != "random":
        return Finding(True, f"not looked at: the split is by {split.kind}")
    train = task.competition.train
    is_test = np.arange(len(task.competition.ids))[:, None] >= train
    found = []
    for name, values in task.sheet.numbers.items():
        there = np.isfinite(values)
        if there[:train].any() and there[train:].any():
            found += [
                Deviation(_of_numbers(values[:train], values[train:]), name),
                *_of_ranks(values[there], is_test[there], name),
            ]
    for name, cells in task.sheet.categories.items():
        found.append(Deviation(_of_levels(cells, train), name))
    for name, empty in task.sheet.gaps.items():
        found.append(Deviation(_of_levels(empty, train), f"gaps in {name}"))
    return association(found)


def _of_numbers(train: np.ndarray, test: np.ndarray) -> float:
    """How far two samples differ, in standard errors: Kolmogorov and Smirnov's test.

    Of its tail Stephens' approximation (1970), which holds for few rows too. Missing numbers are
    compared as gaps.
    """
    train, test = np.sort(train[np.isfinite(train)]), np.sort(test[np.isfinite(test)])
    every = np.concatenate([train, test])
    below = [np.searchsorted(part, every, side="right") / len(part) for part in (train, test)]
    root = np.sqrt(len(train) * len(test) / len(every))
    distance = np.abs(below[0] - below[1]).max()
    return _standard_errors(float(kolmogorov((root + 0.12 + 0.11 / root) * distance)))


def _of_ranks(values: np.ndarray, is_test: np.ndarray, name: str) -> list[Deviation]:
    """How far the ranks of two samples differ, and their distances from the middle."""
    names, columns = together(number_traits(name, values))
    return deviations(columns, is_test.astype(float), names)


def _of_levels(cells: np.ndarray, train: int) -> float:
    """How far the shares of levels differ, in standard errors: Pearson's chi-squared."""
    _, level, counts = np.unique(cells, return_inverse=True, return_counts=True)
    rare = counts < FEWEST_OF_LEVEL
    level = np.where(rare[level], len(counts), level)
    _, level = np.unique(level, return_inverse=True)
    of_train = np.bincount(level[:train], minlength=level.max() + 1)
    every = np.bincount(level)
    if len(every) < 2:
        return 0.0
    share = train / len(cells)
    expected = every * share
    statistic = ((of_train - expected) ** 2 / (expected * (1 - share))).sum()
    return _standard_errors(float(chi2.sf(statistic, len(every) - 1)))


def _standard_errors(chance: float) -> float:
    """The normal deviate of a two-sided probability."""
    return float(norm.isf(max(chance, LEAST_CHANCE) / 2))
