"""From what a hidden rule gives to labels: rounding, cutting, checking."""

from collections.abc import Sequence

import numpy as np


def significant(values: np.ndarray) -> np.ndarray:
    """`values` (samples,) to six significant digits, as files hold them.

    The last bits of exp, log and tanh differ between machines; what is cut must not.
    Raises ValueError where a value is not finite.
    """
    if not np.isfinite(values).all():
        raise ValueError("a hidden rule gave a score that is not finite")
    return np.array([float(f"{value:.6g}") for value in values])


def cut(scores: np.ndarray, quantiles: Sequence[float]) -> np.ndarray:
    """Class indices (samples,), 0 for the lowest `scores`, cut near the ascending `quantiles`.

    Cuts lie between neighbouring different scores, where the share of samples below is nearest
    to the quantile, so that ties stay together and no class is empty.
    Raises ValueError where there are fewer different scores than classes.
    """
    values, position, counts = np.unique(scores, return_inverse=True, return_counts=True)
    if len(values) <= len(quantiles):
        raise ValueError(
            f"a hidden rule gave {len(values)} different scores, too few for "
            f"{len(quantiles) + 1} classes"
        )
    below = np.cumsum(counts)[:-1] / len(scores)
    labels = np.zeros(len(scores), dtype=int)
    first = 0
    for index, quantile in enumerate(quantiles):
        last = len(below) - (len(quantiles) - 1 - index)
        first += int(np.argmin(np.abs(below[first:last] - quantile))) + 1
        labels += position >= first
    return labels


def class_index(values: np.ndarray, classes: int) -> np.ndarray:
    """`values` (samples,) as whole numbers. Raises ValueError where one is not in 0..classes-1."""
    labels = values.astype(int)
    if not ((labels == values) & (labels >= 0) & (labels < classes)).all():
        raise ValueError(f"a hidden rule gave a class that is not one of 0 to {classes - 1}")
    return labels
