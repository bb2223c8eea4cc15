"""Statistics over tasks: the unit that is drawn, so that attempts on one task are no evidence more.

Rows are tasks, columns are quantities that are all resampled together. Bootstrap and permutation
test are scipy's; random numbers are seeded, so that the same rollouts give the same figures.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

Array = npt.NDArray[np.float64]

#: How often tasks are drawn anew, and signs are.
RESAMPLES = 4_000

#: What share of such runs on other tasks an interval is to hold the truth in.
CONFIDENCE = 0.95

#: Resamples in memory at a time.
_BATCH = 250


def intervals(values: Array) -> Array:
    """Intervals of the means of `values` (tasks, quantities in [0, 1]): (2, quantities).

    They are the percentile bootstrap's over tasks. Where every task has the same 0 or 1, which no
    resampling can vary, the interval is the exact binomial one of so many tasks (Clopper and
    Pearson 1934): none of 20 tasks is no proof of nothing. All is NaN for fewer than two tasks.
    """
    tasks, quantities = values.shape
    if tasks < 2:
        return np.full((2, quantities), np.nan)
    bounds = _bootstrap(values)
    for value in (0.0, 1.0):
        exact = stats.binomtest(int(value) * tasks, tasks).proportion_ci(CONFIDENCE, "exact")
        bounds[:, (values == value).all(axis=0)] = [[exact.low], [exact.high]]
    return bounds


def difference_intervals(differences: Array) -> Array:
    """Intervals of mean differences (tasks, quantities) by the percentile bootstrap over tasks.

    All is NaN for fewer than two tasks.
    """
    if len(differences) < 2:
        return np.full((2, differences.shape[1]), np.nan)
    return _bootstrap(differences)


def p_values(first: Array, second: Array) -> Array:
    """Two-sided p-values (quantities,) that means differ, of paired (tasks, quantities).

    A paired permutation test: under the null hypothesis the two of a pair could stand in either
    order. It is exact for few tasks.
    """
    found = stats.permutation_test(
        (first, second),
        _mean_difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=_BATCH,
        axis=0,
        random_state=np.random.default_rng(0),
    )
    return np.asarray(found.pvalue, dtype=float)


def any_at(attempts: int, wins: int, k: int) -> float:
    """The chance that at least one of k attempts wins, estimated from more: 1 - C(n-c, k)/C(n, k).

    The unbiased estimator pass@k of Chen et al. 2021 (arXiv 2107.03374, equation 1).
    """
    return 1 - math.comb(attempts - wins, k) / math.comb(attempts, k)


def _bootstrap(values: Array) -> Array:
    found = stats.bootstrap(
        (values,),
        np.mean,
        axis=0,
        confidence_level=CONFIDENCE,
        method="percentile",
        n_resamples=RESAMPLES,
        batch=_BATCH,
        random_state=np.random.default_rng(0),
    ).confidence_interval
    return np.array([found.low, found.high])


def _mean_difference(first: Any, second: Any, axis: int) -> Any:
    return np.mean(first, axis=axis) - np.mean(second, axis=axis)
