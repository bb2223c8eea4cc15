"""A row for every position of a sequence, and one column named as the target: the number there.

A row's `id` is that of the sample, `_` and the position, counted from 0.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.table import Table

PREDICTS = "number"
TASKS = ["sequence_regression"]
TRAIN = "table"
KEY = "{id}_{n}"
COUNTED_FROM = 0

#: Squares of larger numbers could overflow a score.
LARGEST_AT_POSITION = 1e15


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each sequence's numbers, in order."""
    ((target, sequences),) = labels.items()
    positions = range(sequences.shape[1])
    keys = np.array([f"{name}_{position}" for name in ids for position in positions])
    return {"id": keys, target: sequences.ravel()}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: 0 at every position."""
    return {"id": keys} | {target: np.zeros(len(keys)) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Numbers (samples, positions)."""
    (target,) = targets
    last = int(table.ids[-1].rsplit("_", 1)[1])
    values = table.numbers(target, -LARGEST_AT_POSITION, LARGEST_AT_POSITION)
    return values.reshape(-1, last + 1)
