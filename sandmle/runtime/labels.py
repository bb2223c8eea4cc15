"""From what a hidden rule gives to labels: rounding, cutting, checking."""

from collections.abc import Mapping, Sequence

import numpy as np


def settle(values: np.ndarray) -> np.ndarray:
    """`values` (samples, ...) rounded as files hold them: what no number is stays as it is.

    The last bits of exp, log and tanh differ between machines; what is cut must not. A number a
    sample keeps six significant digits, arrays of numbers keep six decimals.
    Raises ValueError where a number is not finite.
    """
    if values.dtype.kind != "f":
        return values
    if not np.isfinite(values).all():
        raise ValueError("a hidden rule gave a score that is not finite")
    if values.ndim > 1:
        return np.asarray(np.round(values, 6))
    return np.array([float(f"{value:.6g}") for value in values])


def train_only(train: np.ndarray, noisy: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """`noisy` labels (samples, ...) where a sample trains, and `labels` where it tests."""
    return np.where(train.reshape(-1, *[1] * (labels.ndim - 1)), noisy, labels)


def label_columns(
    labels: Mapping[str, np.ndarray], classes: Sequence[str]
) -> dict[str, np.ndarray]:
    """Labels as a table shows them: a column a target.

    Classes go by their names; shares (samples, classes) have a column a class, and other arrays
    (samples, positions) a column a position, counted from 0.
    """
    columns: dict[str, np.ndarray] = {}
    for name, values in labels.items():
        if values.ndim == 2:
            named = classes or [f"{name}_{position}" for position in range(values.shape[1])]
            columns |= {column: values[:, place] for place, column in enumerate(named)}
        else:
            columns[name] = np.array(classes)[values] if values.dtype.kind == "i" else values
    return columns


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
