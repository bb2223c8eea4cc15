"""One column `tags`: the names of the targets that apply, separated by spaces in any order.

A row to which none applies holds `-`.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.entries import list_cell, read_entries
from sandmle.runtime.table import Table

PREDICTS = "label"
TASKS = ["multilabel"]
DEFAULT = False
TRAIN = "encoded"


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: the targets whose label is 1."""
    applies = np.column_stack(list(labels.values())) == 1
    names = np.array(list(labels))
    return {"id": ids, "tags": np.array([list_cell(names[row]) for row in applies])}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: the first target for every row."""
    return {"id": keys, "tags": np.full(len(keys), targets[0])}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Labels 0 or 1 (rows, targets)."""
    entries = read_entries(table, "tags", noun="tag", fields=["tag"], most=len(targets))
    found = np.zeros((len(table.ids), len(targets)), dtype=int)
    found[entries.owners, entries.indices("tag", targets)] = 1
    entries.refuse_repeats("tag")
    return found
