"""How strongly values go with labels, in standard errors of what chance alone would show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy
from scipy.stats import norm, rankdata

from sandmle.build.auditing import Finding
from sandmle.solvers.reading import Competition

#: An association with the label is a leak beyond this many standard deviations of chance, where
#: it is the only one that is looked at (see most_deviations).
MOST_DEVIATIONS = 4.0

#: A probability of chance below this is as good as none.
LEAST_CHANCE = 1e-300


@dataclass(frozen=True, order=True)
class Deviation:
    """How far the largest of some associations lies from chance, what it is, and of how many."""

    size: float
    where: str
    tests: int = 1


def parts_of(competition: Competition) -> Iterator[tuple[str, np.ndarray]]:
    """The rows of train.csv and of test.csv, as positions among all ids."""
    every = np.arange(len(competition.ids))
    yield "train", every[: competition.train]
    yield "test", every[competition.train :]


def wholes_of(competition: Competition) -> Iterator[tuple[str, np.ndarray]]:
    """All rows, and those of test.csv alone: what is the same in train and test shows in more."""
    every = np.arange(len(competition.ids))
    yield "all rows", every
    yield "test", every[competition.train :]


def rank_deviations(values: np.ndarray, outcome: np.ndarray, where: str) -> list[Deviation]:
    """Rank correlation of values with each column of an outcome, in its standard errors."""
    return deviations(rankdata(values)[:, None], outcome, [where])


def serial_deviations(outcome: np.ndarray, where: str) -> list[Deviation]:
    """Correlation of each column with itself one row later, in its standard errors."""
    sizes = [float(standard_errors(each[1:], each[:-1])[0, 0]) for each in outcome.T[:, :, None]]
    return [Deviation(max(sizes), where, len(sizes))]


def run_deviations(outcome: np.ndarray, where: str) -> list[Deviation]:
    """The longest run of one class, or of numbers above or below the middle, against chance.

    A given stretch of so many rows is all of one kind no more often than its share of the rows to
    the power of their number; there are as many stretches as rows where they may begin.
    """
    middle = np.median(outcome, axis=0)
    flags = (
        outcome if _are_flags(outcome).all() else np.hstack([outcome > middle, outcome < middle])
    )
    sizes = []
    for column in flags.T:
        ends = np.flatnonzero(np.concatenate([[0], column, [0]]) == 0)
        longest = int(np.diff(ends).max()) - 1
        chance = (len(column) - longest + 1) * float(column.mean()) ** longest
        sizes.append(float(norm.isf(np.clip(chance, LEAST_CHANCE, 1.0) / 2)))
    return [Deviation(max(sizes), f"run of one kind by {where}", len(sizes))]


def deviations(values: np.ndarray, outcome: np.ndarray, names: Sequence[str]) -> list[Deviation]:
    """Of each column of values, by name, the strongest association with a column of an outcome.

    The largest of them stands for all, so that names that say the same count once.
    """
    if not values.shape[1]:
        return []
    sizes = standard_errors(values, outcome)
    column = int(sizes.max(axis=1).argmax())
    return [Deviation(float(sizes.max()), names[column], sizes.size)]


def standard_errors(values: np.ndarray, outcome: np.ndarray) -> np.ndarray:
    """Correlations of values (rows, m) with an outcome (rows, k) in standard errors; shape (m, k).

    Where both are 0 or 1, and one is rare, the tails of a correlation are far from normal. The root
    of the likelihood ratio of their table is nearer (Wilks 1938), and the smaller one counts,
    where that matters: beyond MOST_DEVIATIONS.
    """
    rows = len(values)
    left, right = values - values.mean(axis=0), outcome - outcome.mean(axis=0)
    squares = [np.einsum("ij,ij->j", each, each) for each in (left, right)]
    scale = np.sqrt(np.outer(*squares))
    sizes = np.abs(left.T @ right) / np.where(scale > 0, scale, np.inf) * np.sqrt(rows - 1)
    suspects = np.flatnonzero((sizes > MOST_DEVIATIONS).any(axis=1))
    flags = suspects[_are_flags(values[:, suspects])]
    classes = np.flatnonzero(_are_flags(outcome))
    if len(flags) and len(classes):
        ratio = likelihood_ratio(values[:, flags], outcome[:, classes])
        chosen = np.ix_(flags, classes)
        sizes[chosen] = np.minimum(sizes[chosen], np.sqrt(ratio))
    return np.asarray(sizes)


def _are_flags(values: np.ndarray) -> np.ndarray:
    return np.asarray(((values == 0) | (values == 1)).all(axis=0))


def likelihood_ratio(flags: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The G statistic of each two columns (rows, m) and (rows, k) of 0 and 1; shape (m, k)."""
    rows = len(flags)
    set_, member = flags.sum(axis=0)[:, None], classes.sum(axis=0)[None, :]
    both = flags.T @ classes
    total = np.zeros_like(both)
    for observed, expected in (
        (both, set_ * member),
        (set_ - both, set_ * (rows - member)),
        (member - both, (rows - set_) * member),
        (rows - set_ - member + both, (rows - set_) * (rows - member)),
    ):
        share = np.where(expected > 0, observed * rows / np.maximum(expected, 1), 1.0)
        total += xlogy(observed, share)
    return np.asarray(2 * np.maximum(total, 0))


def correlation(left: np.ndarray, right: np.ndarray) -> float:
    """The size of the correlation of two arrays, 0 where one does not vary."""
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        return 0.0
    return abs(float(np.corrcoef(left, right)[0, 1]))


def most_deviations(tests: int) -> float:
    """The standard errors that the largest of several associations may lie from chance.

    All together they fail a task that leaks nothing as rarely as a single one does beyond
    MOST_DEVIATIONS (Sidak 1967).
    """
    alone = 2 * norm.sf(MOST_DEVIATIONS)
    return float(norm.isf((1 - (1 - alone) ** (1 / tests)) / 2))


def association(found: Sequence[Deviation], unit: str = "standard errors from chance") -> Finding:
    """Fails where the largest of several deviations is beyond chance."""
    if not found:
        return Finding(True, "nothing to look at")
    largest = max(found)
    return Finding(
        bool(largest.size <= most_deviations(sum(each.tests for each in found))),
        f"at most {largest.size:.1f} {unit} ({largest.where})",
    )


def compared(
    columns: np.ndarray,
    names: Sequence[str],
    targets: Mapping[str, np.ndarray],
    rows: np.ndarray,
    where: str,
) -> list[Deviation]:
    """The strongest association of some rows' columns with each target."""
    return [
        deviation
        for target, outcome in targets.items()
        for deviation in deviations(
            columns, outcome[rows], [f"{name}, {target}, {where}" for name in names]
        )
    ]
