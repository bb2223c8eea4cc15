"""One column for each target, named as the target: 1 where it applies and 0 where it does not."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.table import Table

PREDICTS = "label"
TASKS = ["multilabel"]


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: the labels themselves, 0 or 1."""
    return {"id": ids, **labels}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: 0 for every row and target."""
    return {"id": keys} | {target: np.zeros(len(keys), dtype=int) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Labels 0 or 1 (rows, targets)."""
    return np.column_stack([table.classes(target, classes) for target in targets])
