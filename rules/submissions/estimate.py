"""A column named as the target, the predicted number, and one `standard_deviation`, above 0.

The standard deviation says how far the prediction may be off.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.table import Table

PREDICTS = "estimate"
TASKS = ["probabilistic_regression"]

#: Squares of larger numbers could overflow a score.
LARGEST_ESTIMATE = 1e15
#: What a certain prediction says: a metric may divide by it, and by its square.
SMALLEST_DEVIATION = 1e-9


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each row's number, as good as certain."""
    return {"id": ids, **labels, "standard_deviation": np.full(len(ids), SMALLEST_DEVIATION)}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: 0, give or take 1, for every row."""
    guesses = {target: np.zeros(len(keys)) for target in targets}
    return {"id": keys, **guesses, "standard_deviation": np.ones(len(keys))}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Numbers and their standard deviations (rows, 2); those of the truth mean nothing."""
    (target,) = targets
    numbers = table.numbers(target, -LARGEST_ESTIMATE, LARGEST_ESTIMATE)
    deviations = table.numbers("standard_deviation", SMALLEST_DEVIATION, LARGEST_ESTIMATE)
    return np.column_stack([numbers, deviations])
