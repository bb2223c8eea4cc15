"""One column named as the target: the names of a sample's items in order, separated by spaces.

Every item stands there once. `-` stands for the items in the order of their names.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.errors import InvalidSubmission
from sandmle.runtime.entries import NOTHING, list_cell
from sandmle.runtime.table import Table, shown

PREDICTS = "tokens"
TASKS = ["ordering"]
TRAIN = "encoded"


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each sample's items; by their names in the private `_items`."""
    ((target, orders),) = labels.items()
    return {
        "id": ids,
        target: np.array([list_cell(items) for items in orders]),
        "_items": np.array([list_cell(sorted(items)) for items in orders]),
    }


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: the items by their names for every row."""
    return {"id": keys} | {target: np.full(len(keys), NOTHING) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Items, object (rows,), a tuple of str each, the same items as in the answer."""
    (target,) = targets
    found = np.empty(len(table.ids), dtype=object)
    cells = zip(table.rows, table.columns[target], table.columns["_items"], strict=True)
    for place, (row, cell, names) in enumerate(cells):
        known = names.split()
        items = cell.split(None, len(known))
        if items == [NOTHING]:
            items = known
        elif sorted(items) != known:
            raise InvalidSubmission(f"row {row}: {target!r} {items_fault(items, known)}")
        found[place] = tuple(items)
    return found


def items_fault(items: Sequence[str], known: Sequence[str]) -> str:
    """How a row's `items` differ from those that it must hold, `known`."""
    expected = f"expected each of its {len(known)} items once"
    if not items:
        return f"is empty; {expected}"
    for place, item in enumerate(items[: len(known)], start=1):
        if item not in known:
            return f"item {place} is {shown(item)}, which is none of the sample's; {expected}"
        if item in items[: place - 1]:
            return f"item {place} is {shown(item)} again; {expected}"
    if len(items) > len(known):
        return f"holds more than {len(known)} items; {expected}"
    missing = next(name for name in known if name not in items)
    return f"lacks the item {missing!r}; {expected}"
