"""One column named as the target: the marked pixels as runs, `start length start length ...`.

Pixels count from 1 at the top left: where `order` is columns, down each column, from left to right;
where it is rows, along each row, from top to bottom. Runs ascend and don't overlap; `-` marks no
pixel.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.entries import NOTHING, Entries, list_cell, read_entries
from sandmle.runtime.table import Table

PREDICTS = "mask"
TASKS = ["segmentation"]
TRAIN = "encoded"
PARAMETERS = {
    "order": {
        "enum": ["columns", "rows"],
        "description": "whether pixels count down the columns or along the rows",
        "examples": ["columns"],
    }
}


def encode(
    ids: np.ndarray,
    labels: Mapping[str, np.ndarray],
    classes: Sequence[str],
    *,
    order: str = "columns",
) -> dict[str, np.ndarray]:
    """A perfect submission: each mask's runs, and its size in private columns."""
    ((target, masks),) = labels.items()
    samples, height, width = masks.shape
    pixels = (masks.transpose(0, 2, 1) if order == "columns" else masks).reshape(samples, -1)
    edges = np.diff(pixels.astype(np.int8), axis=1, prepend=0, append=0)
    cells = []
    for row in edges:
        starts, ends = np.flatnonzero(row == 1), np.flatnonzero(row == -1)
        cells.append(list_cell(map(str, np.column_stack([starts + 1, ends - starts]).ravel())))
    return {
        "id": ids,
        target: np.array(cells),
        "_height": np.full(samples, height),
        "_width": np.full(samples, width),
    }


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str], *, order: str = "columns"
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: no pixel for every row."""
    return {"id": keys} | {target: np.full(len(keys), NOTHING) for target in targets}


def parse(
    table: Table, targets: Sequence[str], classes: Sequence[str], *, order: str = "columns"
) -> np.ndarray:
    """Masks, bool (rows, height, width)."""
    (target,) = targets
    height, width = int(table.columns["_height"][0]), int(table.columns["_width"][0])
    pixels = height * width
    fields = ["start", "length"]
    runs = read_entries(table, target, noun="run", fields=fields, most=pixels)
    starts, lengths = runs.whole_numbers("start"), runs.whole_numbers("length")
    check_runs(runs, starts, lengths, pixels)
    firsts = runs.owners * pixels + starts - 1
    edges = np.column_stack([firsts, firsts + lengths]).ravel()
    gaps_and_runs = np.diff(edges, prepend=0, append=len(table.ids) * pixels)
    marked = np.repeat(np.arange(len(gaps_and_runs)) % 2 == 1, gaps_and_runs)
    if order == "rows":
        return marked.reshape(-1, height, width)
    return marked.reshape(-1, width, height).transpose(0, 2, 1)


def check_runs(runs: Entries, starts: np.ndarray, lengths: np.ndarray, pixels: int) -> None:
    """Raises InvalidSubmission where a run is empty, leaves the picture or overlaps another."""
    ends = starts + lengths - 1
    previous = np.where(runs.ranks > 0, np.roll(ends, 1), 0)
    inside = f"expected pixels 1 to {pixels}"
    problems = [
        ((starts < 1) | (starts > pixels), f"starts at pixel {{start}} of {pixels}; {inside}"),
        (lengths < 1, "is {length} pixels long; expected at least 1"),
        (ends > pixels, f"ends at pixel {{end}} of {pixels}; {inside}"),
        (
            starts <= previous,
            "starts at pixel {start}, but the one before ends at {previous}; "
            "expected runs that ascend and don't overlap",
        ),
    ]
    for wrong, problem in problems:
        if wrong.any():
            place = int(np.argmax(wrong))
            raise runs.fault(
                place,
                problem.format(
                    start=starts[place],
                    length=lengths[place],
                    end=ends[place],
                    previous=previous[place],
                ),
            )
