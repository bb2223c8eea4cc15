"""Submissions that look at no feature: the sample, averages, every class for all rows, chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy.special import softmax

from sandmle.solvers.files import read_table
from sandmle.solvers.models import indicators
from sandmle.solvers.reading import Competition
from sandmle.solvers.stating import NO_TAG
from sandmle.solvers.submitting import exact_submission, submission

#: Random submissions: the luck of a single one would move thresholds.
DRAWS = 8
#: Constants for numbers: the best one depends on the metric.
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


def candidates(competition: Competition) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each dummy's name and submission; of the random ones there are several by one name."""
    yield "sample", read_table(competition.folder / "sample_submission.csv")
    yield "average", submission(competition, by_target(competition, mean_of(competition)))
    if competition.predicts == "number":
        for share in QUANTILES:
            constant = by_target(competition, partial(quantile, share=share))
            yield f"quantile {share}", submission(competition, constant)
    for index, name in enumerate(competition.classes if competition.is_classification else ()):
        certain = by_target(competition, partial(always, index=index))
        yield f"always {name}", exact_submission(competition, certain)
    if competition.format == "top_k" and len(competition.targets) > 1:
        yield "no name", no_name(competition)
    for seed in range(DRAWS):
        drawn = by_target(competition, partial(resampled, seed=seed))
        yield "random", exact_submission(competition, drawn)


def solve(competition: Competition) -> pd.DataFrame:
    """The average of the training labels (for label submissions the most frequent class)."""
    return submission(competition, by_target(competition, mean_of(competition)))


def mean_of(competition: Competition) -> Callable[[np.ndarray, int], np.ndarray]:
    """How the training labels of a competition are averaged."""
    return average_distribution if competition.is_distribution else average


def by_target(
    competition: Competition, choose: Callable[[np.ndarray, int], np.ndarray]
) -> dict[str, np.ndarray]:
    """What `choose` makes of each target's (training rows, outputs), for all test rows."""
    rows = len(competition.ids) - competition.train
    return {
        name: choose(indicators(response, len(competition.classes)), rows)
        for name, response in competition.responses().items()
    }


def no_name(competition: Competition) -> pd.DataFrame:
    """No target for any row: right wherever none applies."""
    ids = competition.ids[competition.train :]
    return pd.DataFrame({competition.identifier: ids, competition.columns[0]: NO_TAG})


def average(outputs: np.ndarray, rows: int) -> np.ndarray:
    """The mean number, or each class's share."""
    return np.tile(outputs.mean(axis=0), (rows, 1))


def average_distribution(outputs: np.ndarray, rows: int) -> np.ndarray:
    """The logarithms of the mean share of each class; `outputs` are logarithms of shares."""
    return np.tile(np.log(softmax(outputs, axis=1).mean(axis=0)), (rows, 1))


def quantile(outputs: np.ndarray, rows: int, *, share: float) -> np.ndarray:
    """The number below which a share of the training rows lies."""
    return np.tile(np.quantile(outputs, share, axis=0), (rows, 1))


def always(outputs: np.ndarray, rows: int, *, index: int) -> np.ndarray:
    """One class, as if it were certain."""
    return np.tile(np.eye(outputs.shape[1])[index], (rows, 1))


def resampled(outputs: np.ndarray, rows: int, *, seed: int) -> np.ndarray:
    """Training labels drawn at random."""
    return np.asarray(outputs[np.random.default_rng(seed).integers(0, len(outputs), rows)])
