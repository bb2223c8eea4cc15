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


def box_overlaps(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Intersection over union of every two boxes, (m, n).

    `left` (m, 4) and `right` (n, 4) hold left edge, top edge, width and height; the overlap of two
    boxes without area is 0.
    """
    first, second = left[:, np.newaxis], right[np.newaxis]
    begin = np.maximum(first[..., :2], second[..., :2])
    end = np.minimum(first[..., :2] + first[..., 2:], second[..., :2] + second[..., 2:])
    common = np.clip(end - begin, 0, None).prod(axis=2)
    union = first[..., 2:].prod(axis=2) + second[..., 2:].prod(axis=2) - common
    return np.asarray(np.divide(common, union, out=np.zeros_like(common), where=union > 0))
