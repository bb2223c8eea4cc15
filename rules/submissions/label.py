"""One column named as the target: the class, written as in train.csv."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.table import Table

PREDICTS = "label"
TASKS = ["binary", "multiclass", "ordinal"]


def encode(labels: Mapping[str, np.ndarray], classes: Sequence[str]) -> dict[str, np.ndarray]:
    """A perfect submission: each row's class."""
    return {target: np.array(classes)[values] for target, values in labels.items()}


def sample(targets: Sequence[str], classes: Sequence[str], rows: int) -> dict[str, np.ndarray]:
    """A submission that knows nothing: the first class for every row."""
    return {target: np.full(rows, classes[0]) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Indices of the classes (rows,)."""
    return table.classes(targets[0], classes)
