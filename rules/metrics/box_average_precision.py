"""Mean average precision of boxes: the area under precision over recall, by class and overlap.

A predicted box is right if it overlaps a true one of its class that no surer box has taken, by the
intersection over union asked for. The mean over the true classes and over `overlaps`. 1 for a
perfect submission, 0 for an empty one.
Source: PASCAL VOC from 2010 on (all points of the curve); COCO averages over overlaps 0.5 to 0.95.
"""

from collections.abc import Sequence

import numpy as np

from sandmle.runtime.overlap import box_overlaps

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
    classes = sorted({kind for boxes in truth for kind in boxes[:, 0]})
    if not classes:
        return float(not any(len(boxes) for boxes in prediction))
    wanted = np.array(overlaps)[:, np.newaxis]
    scores = []
    for kind in classes:
        pairs = [
            (true[true[:, 0] == kind], guess[guess[:, 0] == kind])
            for true, guess in zip(truth, prediction, strict=True)
        ]
        found = [boxes_found(true, guess, wanted) for true, guess in pairs]
        hits = np.hstack([right for right, _ in found])
        sureness = np.hstack([sure for _, sure in found])
        scores.append(area_under_precision(hits, sureness, sum(len(true) for true, _ in pairs)))
    return float(np.mean(scores))


def boxes_found(
    true: np.ndarray, guess: np.ndarray, wanted: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Whether each predicted box of a picture is right, (overlaps, boxes), and how sure it was.

    `wanted` are the least overlaps (overlaps, 1). Boxes have a sixth number where the submission
    says how sure they are; without, all are as sure.
    """
    sureness = guess[:, 5] if guess.shape[1] > 5 else np.ones(len(guess))
    order = np.argsort(-sureness, kind="stable")
    shares = box_overlaps(guess[order, 1:5], true[:, 1:5])
    hits = np.zeros((len(wanted), len(guess)), dtype=bool)
    free = np.ones((len(wanted), len(true)), dtype=bool)
    for index, share in enumerate(shares):
        fits = np.where(free & (share >= wanted), share, -1.0)
        if not fits.size:
            break
        best = fits.argmax(axis=1)
        hits[:, index] = fits.max(axis=1) > 0
        free[hits[:, index], best[hits[:, index]]] = False
    return hits, sureness[order]


def area_under_precision(hits: np.ndarray, sureness: np.ndarray, total: int) -> np.ndarray:
    """Average precision for each overlap, (overlaps,), of `total` true boxes.

    Boxes that are equally sure are taken at once, so that their order does not matter.
    """
    if not len(sureness):
        return np.zeros(len(hits))
    order = np.argsort(-sureness, kind="stable")
    right = hits[:, order].cumsum(axis=1)
    ends = np.flatnonzero(np.append(np.diff(sureness[order]) != 0, True))
    precision = right[:, ends] / (ends + 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    gained = np.diff(right[:, ends] / total, axis=1, prepend=0)
    return np.asarray((gained * best).sum(axis=1))
