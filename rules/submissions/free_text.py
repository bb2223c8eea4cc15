"""One column named as the target: a text, at most 2000 characters long.

Any space, however long, counts as one, and around the text as none. `-` is an empty text.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.errors import InvalidSubmission
from sandmle.runtime.table import Table

PREDICTS = "text"
TASKS = ["seq2seq", "extractive_qa"]
TRAIN = "encoded"

#: Characters: the time of edit distances grows with the square of it.
LONGEST_TEXT = 2000


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: the texts themselves."""
    ((target, texts),) = labels.items()
    return {"id": ids, target: np.array([" ".join(text.split()) or "-" for text in texts])}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: an empty text for every row."""
    return {"id": keys} | {target: np.full(len(keys), "-") for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Texts, object (rows,), str each."""
    (target,) = targets
    found = np.empty(len(table.ids), dtype=object)
    for place, cell in enumerate(table.columns[target]):
        text = " ".join(cell.split())
        if len(text) > LONGEST_TEXT:
            raise InvalidSubmission(
                f"row {table.rows[place]}: {target!r} has {len(text)} characters; "
                f"expected at most {LONGEST_TEXT}"
            )
        found[place] = "" if text == "-" else text
    return found
