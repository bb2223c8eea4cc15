"""One column named as the target: `class confidence left top width height` for every box.

The values are separated by spaces, box after box. Left, top, width and height are in pixels from
the top left; the confidence is from 0 to 1. A picture without a box holds `-`; a space inside
a class's name is written as `_`.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.entries import NOTHING, list_cell, one_word, read_entries
from sandmle.runtime.table import Table

PREDICTS = "boxes"
TASKS = ["detection"]
TRAIN = "encoded"

#: Boxes that a row may hold, as in COCO: https://cocodataset.org/#detection-eval
MOST_BOXES = 100
#: Pixels; no picture is larger.
FARTHEST_PIXEL = 1e5
#: Pixels; no box is narrower.
NARROWEST_BOX = 1e-3


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each picture's boxes, with confidence 1."""
    ((target, pictures),) = labels.items()
    names = [one_word(name) for name in classes]
    cells = [
        list_cell(
            text
            for kind, *place in boxes
            for text in (names[int(kind)], "1", *(f"{value:.6g}" for value in place))
        )
        for boxes in pictures
    ]
    return {"id": ids, target: np.array(cells)}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: no box for every row."""
    return {"id": keys} | {target: np.full(len(keys), NOTHING) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Boxes, object (rows,), a float array (m, 6) each: class index, left, top, width, height,
    confidence."""
    (target,) = targets
    fields = ["class", "confidence", "left", "top", "width", "height"]
    boxes = read_entries(table, target, noun="box", fields=fields, most=MOST_BOXES)
    columns = [
        boxes.indices("class", classes),
        boxes.numbers("left", -FARTHEST_PIXEL, FARTHEST_PIXEL),
        boxes.numbers("top", -FARTHEST_PIXEL, FARTHEST_PIXEL),
        boxes.numbers("width", NARROWEST_BOX, FARTHEST_PIXEL),
        boxes.numbers("height", NARROWEST_BOX, FARTHEST_PIXEL),
        boxes.numbers("confidence", 0.0, 1.0),
    ]
    return boxes.by_row(np.column_stack(columns))
