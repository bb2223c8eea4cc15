"""How far areas in pictures overlap: pieces of the metrics of masks and boxes."""

import numpy as np


def pixel_counts(
    truth: np.ndarray, prediction: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pixels in both masks, in the true one and in the predicted one, three times (samples,).

    Both masks are boolean (samples, height, width).
    """
    truth = truth.reshape(len(truth), -1)
    prediction = prediction.reshape(len(prediction), -1)
    return (truth & prediction).sum(axis=1), truth.sum(axis=1), prediction.sum(axis=1)


def paired_boxes(truth: np.ndarray, prediction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every true box beside every predicted one of the same picture and class, as two lists.

    `truth` and `prediction` are lists of boxes (boxes, 1 + columns) as `listed_boxes` gives them;
    the answer holds their indices, (pairs,) each, in the order of the predicted boxes.
    """
    keys = [boxes[:, 0] * 1e6 + boxes[:, 1] for boxes in (truth, prediction)]
    order = np.argsort(keys[0], kind="stable")
    first, last = (
        np.searchsorted(keys[0], keys[1], side=side, sorter=order) for side in ("left", "right")
    )
    counts = last - first
    guesses = np.repeat(np.arange(len(prediction)), counts)
    places = np.arange(len(guesses)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    return order[places], guesses


def listed_boxes(pictures: np.ndarray) -> np.ndarray:
    """The boxes of all pictures in one list (boxes, 1 + columns), first the picture's index.

    `pictures` is object (samples,), a float array (m, columns) each.
    """
    owners = np.repeat(np.arange(len(pictures)), [len(boxes) for boxes in pictures])
    return np.column_stack([owners, np.concatenate(list(pictures))])


def box_overlaps(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Intersection over union of boxes beside each other, (n,).

    Both (n, 4) hold left edge, top edge, width and height; two boxes without area overlap by 0.
    """
    begin = np.maximum(left[:, :2], right[:, :2])
    end = np.minimum(left[:, :2] + left[:, 2:], right[:, :2] + right[:, 2:])
    common = np.clip(end - begin, 0, None).prod(axis=1)
    union = left[:, 2:].prod(axis=1) + right[:, 2:].prod(axis=1) - common
    return np.asarray(np.divide(common, union, out=np.zeros_like(common), where=union > 0))
