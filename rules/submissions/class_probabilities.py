"""One column for each class, named as the class: its probability; a row's sum is 1."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.errors import InvalidSubmission
from sandmle.runtime.table import Table

PREDICTS = "probability"
TASKS = ["multiclass", "preference", "soft_labels"]

#: How far a row's sum may be from 1, so that rounded probabilities pass.
TOLERANCE = 0.02


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each row's distribution, or 1 for its class and 0 for the others."""
    (values,) = labels.values()
    shares = values if values.ndim == 2 else np.eye(len(classes), dtype=int)[values]
    return {"id": ids} | {name: shares[:, index] for index, name in enumerate(classes)}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: the same for all classes."""
    return {"id": keys} | {name: np.full(len(keys), 1.0 / len(classes)) for name in classes}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Probabilities (rows, classes), scaled to a sum of exactly 1."""
    values = np.column_stack([table.numbers(name, 0.0, 1.0) for name in classes])
    sums = values.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1.0) > TOLERANCE)
    if len(wrong):
        raise InvalidSubmission(
            f"row {table.rows[wrong[0]]}: the probabilities sum to {sums[wrong[0]]:.4g}; expected 1"
        )
    return np.asarray(values / sums[:, np.newaxis])
