"""One column named as the target: `class x y` for the centre of every object.

The values are separated by spaces, object after object, in pixels from the top left. A picture
without an object holds `-`; a space inside a class's name is written as `_`. A centre is right
where it lies inside the object's box.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.entries import NOTHING, list_cell, one_word, read_entries
from sandmle.runtime.table import Table

PREDICTS = "boxes"
TASKS = ["detection"]
DEFAULT = False
TRAIN = "encoded"

#: Centres that a row may hold.
MOST_CENTRES = 100
#: Pixels; no picture is larger.
FARTHEST_CENTRE = 1e5


def encode(
    ids: np.ndarray, labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A perfect submission: each object's centre; the boxes are in the private column `_boxes`."""
    ((target, pictures),) = labels.items()
    names = [one_word(name) for name in classes]
    centres, boxes = [], []
    for picture in pictures:
        points: list[str] = []
        places: list[str] = []
        for kind, left, top, width, height in picture:
            name, x, y = names[int(kind)], left + width / 2, top + height / 2
            points += [name, f"{x:.6g}", f"{y:.6g}"]
            places += [name, *(f"{value:.6g}" for value in (left, top, width, height))]
        centres.append(list_cell(points))
        boxes.append(list_cell(places))
    return {"id": ids, target: np.array(centres), "_boxes": np.array(boxes)}


def sample(
    keys: np.ndarray, targets: Sequence[str], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """A submission that knows nothing: no object for every row."""
    return {"id": keys} | {target: np.full(len(keys), NOTHING) for target in targets}


def parse(table: Table, targets: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Boxes, object (rows,), a float array (m, 6) each: class index, left, top, width, height, 1.

    A centre inside a true box stands for that box, and for one without size elsewhere. So any
    metric of boxes can judge centres, and the answers read as their own boxes.
    """
    (target,) = targets
    fields = ["class", "x", "y"]
    points = read_entries(table, target, noun="centre", fields=fields, most=MOST_CENTRES)
    columns = [
        points.indices("class", classes),
        points.numbers("x", -FARTHEST_CENTRE, FARTHEST_CENTRE),
        points.numbers("y", -FARTHEST_CENTRE, FARTHEST_CENTRE),
    ]
    found = points.by_row(np.column_stack(columns))
    boxes = read_true_boxes(table, classes)
    for row, centres in enumerate(found):
        found[row] = boxes_around(centres, boxes[row])
    return found


def read_true_boxes(table: Table, classes: Sequence[str]) -> np.ndarray:
    """The boxes of the answers, object (rows,), (m, 5) each: class, left, top, width, height."""
    fields = ["class", "left", "top", "width", "height"]
    boxes = read_entries(table, "_boxes", noun="box", fields=fields, most=MOST_CENTRES)
    places = [boxes.numbers(field, -FARTHEST_CENTRE, FARTHEST_CENTRE) for field in fields[1:]]
    return boxes.by_row(np.column_stack([boxes.indices("class", classes), *places]))


def boxes_around(centres: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """For `centres` (m, 3) the box (m, 6) that each lies in, of its own class where it can be and
    with the nearest centre; one without size where it lies in none."""
    kinds, points = centres[:, 0], centres[:, 1:]
    found = np.column_stack([kinds, points, np.zeros_like(points), np.ones(len(points))])
    if not len(boxes):
        return found
    offsets = points[:, np.newaxis] - (boxes[:, 1:3] + boxes[:, 3:] / 2)
    inside = np.all(np.abs(offsets) <= boxes[:, 3:] / 2, axis=2)
    far = (offsets**2).sum(axis=2) + 1e12 * (kinds[:, np.newaxis] != boxes[:, 0])
    nearest = np.where(inside, far, np.inf).argmin(axis=1)
    hits = np.any(inside, axis=1)
    found[hits, 1:5] = boxes[nearest[hits], 1:]
    return found
