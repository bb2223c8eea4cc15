"""One column named as the target: `class x y` for the centre of every object.

The values are separated by spaces, object after object, in pixels from the top left. A picture
without an object holds `-`; a space inside a class's name is written as `_`. A centre is right
where it lies inside the object's box.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandmle.runtime.entries import NOTHING, Entries, list_cell, one_word, read_entries
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
    centres = np.column_stack(columns)
    return points.by_row(boxes_around(points, centres, *read_true_boxes(table, classes)))


def read_true_boxes(table: Table, classes: Sequence[str]) -> tuple[Entries, np.ndarray]:
    """The boxes of the answers, and class, left, top, width and height of each (boxes, 5)."""
    fields = ["class", "left", "top", "width", "height"]
    boxes = read_entries(table, "_boxes", noun="box", fields=fields, most=MOST_CENTRES)
    places = [boxes.numbers(field, -FARTHEST_CENTRE, FARTHEST_CENTRE) for field in fields[1:]]
    return boxes, np.column_stack([boxes.indices("class", classes), *places])


def boxes_around(
    points: Entries, centres: np.ndarray, boxes: Entries, places: np.ndarray
) -> np.ndarray:
    """For each of `centres` (m, 3) the box (m, 6) that it lies in, of its own class where it can
    be and with the nearest centre; one without size where it lies in none."""
    sizes = np.zeros((len(centres), 2))
    found = np.column_stack([centres, sizes, np.ones(len(centres))])
    # All pairs of a centre and a box of the same row.
    first = np.searchsorted(boxes.owners, points.owners)
    counts = np.searchsorted(boxes.owners, points.owners, side="right") - first
    centre = np.repeat(np.arange(len(centres)), counts)
    box = np.arange(len(centre)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
    offsets = centres[centre, 1:] - (places[box, 1:3] + places[box, 3:] / 2)
    inside = np.all(np.abs(offsets) <= places[box, 3:] / 2, axis=1)
    centre, box, distances = centre[inside], box[inside], np.sum(offsets[inside] ** 2, axis=1)
    order = np.lexsort((distances, centres[centre, 0] != places[box, 0], centre))
    hits, best = np.unique(centre[order], return_index=True)
    found[hits, 1:5] = places[box[order][best], 1:]
    return found
