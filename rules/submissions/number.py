"""One column for each target, named as the target: the predicted number."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.table import Table

PREDICTS = "number"
TASKS = ["regression", "multi_target", "forecasting", "ranking"]

#: Squares of larger numbers could overflow a score.
LARGEST = 1e15


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each row's number."""
    return {"id": ids, **labels}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: 0 for every row."""
    return {"id": keys} | {target: np.zeros(len(keys)) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Numbers (rows,), or (rows, targets) where there are several targets."""
    columns = [table.numbers(target, -LARGEST, LARGEST) for target in targets]
    return columns[0] if len(columns) == 1 else np.column_stack(columns)
