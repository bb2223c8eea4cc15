"""How strongly values go with labels, in standard errors of what chance alone would show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.stats import norm, rankdata

from sandmle.build.auditing import Finding
from sandmle.build.ladder import is_plain
from sandmle.build.prepare import sample_places
from sandmle.runtime.dataset import Dataset
from sandmle.solvers.models import indicators
from sandmle.solvers.reading import Competition

#: An association with the label is a leak beyond this many standard deviations of chance, where
#: it is the only one that is looked at (see most_deviations).
MOST_DEVIATIONS = 4.0

#: How far something lies from chance, and what it is.
Deviation = tuple[float, str]


def parts_of(competition: Competition) -> Iterator[tuple[str, np.ndarray]]:
    """The rows of train.csv and of test.csv, as positions among all ids."""
    every = np.arange(len(competition.ids))
    yield "train", every[: competition.train]
    yield "test", every[competition.train :]


def outcomes(
    dataset: Dataset, competition: Competition, rows: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """Each target's labels of some rows: a column a class, or the ranks of numbers."""
    places = sample_places(dataset, competition.ids)[rows]
    if not is_plain(dataset):
        return
    for target, labels in dataset.labels.items():
        values = labels[places]
        classes = len(competition.classes)
        yield target, indicators(values, classes) if classes else rankdata(values)[:, None]


def rank_deviations(values: np.ndarray, outcome: np.ndarray, where: str) -> list[Deviation]:
    """Rank correlation of values with each column of an outcome, in its standard errors."""
    ranks = rankdata(values)
    scale = np.sqrt(len(ranks) - 1)
    return [(correlation(ranks, column) * scale, where) for column in outcome.T]


def serial_deviations(outcome: np.ndarray, where: str) -> list[Deviation]:
    """Correlation of each column with itself one row later, in its standard errors."""
    scale = np.sqrt(len(outcome) - 1)
    return [(correlation(column[1:], column[:-1]) * scale, where) for column in outcome.T]


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


def association(found: Sequence[Deviation]) -> Finding:
    """Fails where the largest of several deviations is beyond chance."""
    if not found:
        return Finding(True, "nothing to look at")
    largest, where = max(found)
    return Finding(
        bool(largest <= most_deviations(len(found))),
        f"at most {largest:.1f} standard errors from chance ({where})",
    )
