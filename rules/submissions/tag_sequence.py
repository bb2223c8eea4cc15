"""One column named as the target: the tags of a sequence in order, separated by spaces.

Where `aligned`, a row holds a tag for every element of its sequence; `-` stands for no tag at all.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.errors import InvalidSubmission
from sandmle.runtime.entries import NOTHING, list_cell
from sandmle.runtime.table import Table, shown

PREDICTS = "tokens"
TASKS = ["sequence_labelling"]
TRAIN = "encoded"
PARAMETERS = {
    "aligned": {
        "type": "boolean",
        "description": "whether a row must hold as many tags as its answer has: only where a "
        "solver sees how many elements a sequence has",
    }
}

#: Tags that a row may hold: the time of edit distances grows with the square of it.
MOST_TAGS = 500
#: Characters of a tag.
LONGEST_TAG = 60


def encode(
    ids: np.ndarray,
    labels: Mapping[str, np.ndarray],
    classes: Sequence[str],
    *,
    aligned: bool = False,
) -> dict[str, np.ndarray]:
    """A perfect submission: each sequence's tags; their number is in the private `_length`."""
    ((target, sequences),) = labels.items()
    return {
        "id": ids,
        target: np.array([list_cell(tags) for tags in sequences]),
        "_length": np.array([len(tags) for tags in sequences]),
    }


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str], *, aligned: bool = False
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: no tag for every row."""
    return {"id": keys} | {target: np.full(len(keys), NOTHING) for target in targets}


def parse(
    table: Table, targets: Sequence[str], classes: Sequence[str], *, aligned: bool = False
) -> np.ndarray:
    """Tags, object (rows,), a tuple of str each: where `aligned` as many as the answer has, all
    of them `-` where a row holds none."""
    (target,) = targets
    found = np.empty(len(table.ids), dtype=object)
    lengths = map(int, table.columns["_length"])
    cells = zip(table.rows, table.columns[target], lengths, strict=True)
    for place, (row, cell, length) in enumerate(cells):
        tags = cell.split(None, max(length, 1) if aligned else MOST_TAGS)
        if tags in ([], [NOTHING]):
            tags = [NOTHING] * length if aligned else []
        fault = tags_fault(tags, length if aligned else None)
        if fault:
            raise InvalidSubmission(f"row {row}: {target!r} {fault}")
        found[place] = tuple(tags)
    return found


def tags_fault(tags: Sequence[str], length: int | None) -> str:
    """What is wrong with a row's `tags`, `length` of which are expected; empty where nothing is."""
    if length is not None and len(tags) != length:
        holds = f"more than {length}" if len(tags) > length else str(len(tags))
        return f"holds {holds} tags; expected {length}, one for every element of the sequence"
    if len(tags) > MOST_TAGS:
        return f"holds more than {MOST_TAGS} tags; expected at most that many"
    for number, tag in enumerate(tags, start=1):
        if len(tag) > LONGEST_TAG:
            return f"tag {number} is {shown(tag)}; expected at most {LONGEST_TAG} characters"
    return ""
