"""One column `ranking`: the `k` likeliest names at most, best first, separated by spaces.

They are names of classes or, where there are several targets, of targets, each at most once;
a space inside a name is written as `_`.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.entries import list_cell, one_word, read_entries
from sandmle.runtime.table import Table

PREDICTS = "ranking"
TASKS = ["multiclass", "multilabel"]
PARAMETERS = {
    "k": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "description": "how many names a row may hold",
        "examples": [5, 3],
    }
}


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str], *, k: int = 5
) -> dict[str, np.ndarray]:
    """A perfect submission: each row's class, or its targets whose label is 1.

    The private column `_labels` holds how many there are, as a row may have more than `k`.
    """
    if len(labels) == 1:
        (values,) = labels.values()
        names = [[one_word(classes[value])] for value in values]
    else:
        applies = np.column_stack(list(labels.values())) == 1
        names = [
            [target for target, yes in zip(labels, row, strict=True) if yes] for row in applies
        ]
    return {
        "id": ids,
        "ranking": np.array([list_cell(row) for row in names]),
        "_labels": np.array([len(row) for row in names]),
    }


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str], *, k: int = 5
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: the same names for every row."""
    names = [one_word(name) for name in (classes if len(targets) == 1 else targets)]
    return {"id": keys, "ranking": np.full(len(keys), list_cell(names[:k]))}


def parse(
    table: Table, targets: Sequence[str], classes: Sequence[str], *, k: int = 5
) -> np.ndarray:
    """Indices of the names (rows, k), best first, -1 where a row holds no more.

    There are more than `k` columns where a row of the answers has more labels.
    """
    most = max(k, *map(int, table.columns["_labels"]))
    entries = read_entries(table, "ranking", noun="name", fields=["name"], most=most)
    found = np.full((len(table.ids), most), -1)
    names = classes if len(targets) == 1 else targets
    found[entries.owners, entries.ranks] = entries.indices("name", names)
    entries.refuse_repeats("name")
    return found
