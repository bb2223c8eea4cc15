"""Sets of features, from what is measured to how it is bent and combined."""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr

from sandmle.solvers.features import (
    curves,
    measure,
    pairs,
    parities,
    scaled_pairs,
    standardised,
)
from sandmle.solvers.reading import Competition
from sandmle.solvers.validation import time_of

#: So many plain columns are combined in pairs, and in threes and fours.
MOST_IN_PAIRS = 26
MOST_IN_PARITIES = 13


def feature_sets(competition: Competition) -> dict[str, np.ndarray]:
    """The sets of features that recipes name; shape (N, columns) each, standardised."""
    measured = measure(competition)
    numbers = measured.plain.to_numpy(float)
    plain = standardised(numbers)
    base = [plain, standardised(measured.groups.to_numpy(float))]
    details = standardised(measured.details.to_numpy(float))
    apart = most_different(plain, MOST_IN_PAIRS)
    paired = [pairs(plain[:, apart]), scaled_pairs(numbers[:, apart])]
    few = plain[:, apart[:MOST_IN_PARITIES]]
    bent = curves(plain)
    sets = {
        "plain": base,
        "details": [*base, details],
        "curves": [*base, bent],
        "pairs": [*base, *paired],
        "everything": [
            *base,
            details,
            bent,
            *paired,
            parities(few, order=3),
            parities(few, order=4),
        ],
    }
    scaled = {id(part): standardised(part) for parts in sets.values() for part in parts}
    joined = {
        name: np.concatenate([scaled[id(part)] for part in parts], axis=1)
        for name, parts in sets.items()
    }
    if time_of(competition.frame, competition.train) is None:
        return joined
    return {
        name: values if name == "plain" else values[:, is_familiar(values, competition.train)]
        for name, values in joined.items()
    }


def is_familiar(values: np.ndarray, train: int) -> np.ndarray:
    """Which columns have most of their test values within what train has (columns,).

    The others, such as waves of a year on the data of a month, fit the past by chance.
    """
    known, unknown = values[:train], values[train:]
    inside = (unknown >= known.min(axis=0)) & (unknown <= known.max(axis=0))
    return np.asarray(inside.mean(axis=0) > 0.5)


def most_different(plain: np.ndarray, count: int) -> np.ndarray:
    """Indices of `count` columns that repeat each other least, in their own order."""
    if plain.shape[1] <= count:
        return np.arange(plain.shape[1])
    _, order = qr(plain, mode="r", pivoting=True)
    return np.sort(order[:count])
