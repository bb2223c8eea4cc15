"""A row for every `id` and target, and one column `probability`: that the target is 1.

A row's `id` is that of the sample, `_` and the target's name.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.table import Table

PREDICTS = "probability"
TASKS = ["multilabel"]
DEFAULT = False
KEY = "{id}_{target}"


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: the labels themselves, 0 or 1, the targets of a sample together."""
    keys = np.array([f"{name}_{target}" for name in ids for target in labels])
    return {"id": keys, "probability": np.column_stack(list(labels.values())).ravel()}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: one half for every row."""
    return {"id": keys, "probability": np.full(len(keys), 0.5)}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Probabilities (samples, targets)."""
    return table.numbers("probability", 0.0, 1.0).reshape(-1, len(targets))
