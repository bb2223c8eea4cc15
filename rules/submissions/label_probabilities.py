"""One column for each target, named as the target: the probability that it is 1."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.table import Table

PREDICTS = "probability"
TASKS = ["multilabel"]


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: the labels themselves, 0 or 1."""
    return {"id": ids, **labels}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: one half for every row and target."""
    return {"id": keys} | {target: np.full(len(keys), 0.5) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Probabilities (rows, targets)."""
    return np.column_stack([table.numbers(target, 0.0, 1.0) for target in targets])
