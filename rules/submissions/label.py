"""One column named as the target: the class, written as in train.csv."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.table import Table

PREDICTS = "label"
TASKS = ["binary", "multiclass", "ordinal", "preference"]


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each row's class."""
    return {"id": ids} | {name: np.array(classes)[values] for name, values in labels.items()}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: the first class for every row."""
    return {"id": keys} | {target: np.full(len(keys), classes[0]) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Indices of the classes (rows,)."""
    return table.classes(targets[0], classes)
