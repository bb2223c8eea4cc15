"""Submissions that look at no feature: the sample, an average, the most typical value, chance."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from sandmle.solvers.models import indicators
from sandmle.solvers.reading import Competition, read_competition, read_table
from sandmle.solvers.submitting import submission, write_submission

#: Random submissions: the luck of a single one would move thresholds.
DRAWS = 8


def candidates(folder: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each dummy's name and submission; of the random ones there are several by one name."""
    competition = read_competition(folder)
    yield "sample", read_table(folder / "sample_submission.csv")
    yield "average", by_target(competition, average)
    yield "typical", by_target(competition, typical)
    for seed in range(DRAWS):
        yield "random", by_target(competition, partial(resampled, seed=seed))


def solve(folder: Path) -> pd.DataFrame:
    """The average of the training labels (for label submissions the most frequent class)."""
    return by_target(read_competition(folder), average)


def by_target(
    competition: Competition, choose: Callable[[np.ndarray, int], np.ndarray]
) -> pd.DataFrame:
    """A submission from what `choose` makes of each target's (training rows, outputs)."""
    rows = len(competition.ids) - competition.train
    return submission(
        competition,
        {
            name: choose(indicators(response, len(competition.classes)), rows)
            for name, response in competition.responses().items()
        },
    )


def average(outputs: np.ndarray, rows: int) -> np.ndarray:
    """The mean number, or each class's share."""
    return np.tile(outputs.mean(axis=0), (rows, 1))


def typical(outputs: np.ndarray, rows: int) -> np.ndarray:
    """The median number, or the most frequent class as if it were certain."""
    if outputs.shape[1] == 1:
        return np.full((rows, 1), np.median(outputs))
    return np.tile(np.eye(outputs.shape[1])[outputs.mean(axis=0).argmax()], (rows, 1))


def resampled(outputs: np.ndarray, rows: int, *, seed: int) -> np.ndarray:
    """Training labels drawn at random."""
    return np.asarray(outputs[np.random.default_rng(seed).integers(0, len(outputs), rows)])


def main() -> None:
    """`python dummy.py [FOLDER [SUBMISSION]]`."""
    write_submission(solve, sys.argv[1:])


if __name__ == "__main__":
    main()
