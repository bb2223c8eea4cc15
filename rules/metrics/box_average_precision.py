"""Mean average precision of boxes: the area under precision over recall, by class and overlap.

A predicted box is right if it overlaps a true one of its class that no surer box has taken, by the
intersection over union asked for. The mean over the true classes and over `overlaps`. 1 for a
perfect submission, 0 for an empty one.
Source: PASCAL VOC from 2010 on (all points of the curve); COCO averages over overlaps 0.5 to 0.95.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.overlap import box_overlaps, listed_boxes, paired_boxes

PREDICTS = "boxes"
TASKS = ["detection"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {
    "overlaps": {
        "type": "array",
        "items": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "minItems": 1,
        "maxItems": 20,
        "description": "least intersections over union of a right box",
        "examples": [[0.4], [0.5], [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]],
    },
}


def box_average_precision(
    truth: np.ndarray, prediction: np.ndarray, *, overlaps: Sequence[float] = (0.5,)
) -> float:
    true, guesses = listed_boxes(truth), listed_boxes(prediction)
    if not len(true):
        return float(not len(guesses))
    # Without a sixth number, that says how sure a box is, all are as sure.
    sureness = guesses[:, 6] if guesses.shape[1] > 6 else np.ones(len(guesses))
    guesses, sureness = (
        values[np.argsort(-sureness, kind="stable")] for values in (guesses, sureness)
    )
    boxes, owners = paired_boxes(true, guesses)
    shares = box_overlaps(true[boxes, 2:6], guesses[owners, 2:6])
    order = np.lexsort([-shares, owners])
    boxes, owners, shares = boxes[order], owners[order], shares[order]
    scores = []
    for least in overlaps:
        enough = shares >= least
        right = np.zeros(len(guesses), dtype=bool)
        right[boxes_found(boxes[enough].tolist(), owners[enough].tolist())] = True
        for kind in np.unique(true[:, 1]):
            chosen = guesses[:, 1] == kind
            total = np.sum(true[:, 1] == kind)
            scores.append(area_under_precision(right[chosen], sureness[chosen], total))
    return float(np.mean(scores))


def boxes_found(boxes: Sequence[int], guesses: Sequence[int]) -> list[int]:
    """The guesses that are right: in their order, each takes the first box that is still free."""
    taken: set[int] = set()
    right: dict[int, None] = {}
    for box, guess in zip(boxes, guesses, strict=True):
        if guess not in right and box not in taken:
            taken.add(box)
            right[guess] = None
    return list(right)


def area_under_precision(right: np.ndarray, sureness: np.ndarray, total: int) -> float:
    """Average precision of guesses, the surest first, where there are `total` true boxes.

    Guesses that are equally sure are taken at once, so that their order does not matter.
    """
    if not len(right):
        return 0.0
    ends = np.flatnonzero(np.append(np.diff(sureness) != 0, True))
    found = right.cumsum()[ends]
    best = np.maximum.accumulate((found / (ends + 1))[::-1])[::-1]
    return float(np.diff(found / total, prepend=0) @ best)
