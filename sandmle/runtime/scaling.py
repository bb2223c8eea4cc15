"""Bringing a factor of any scale onto a known one, over all samples of a task."""

import numpy as np


def standardize(values: np.ndarray) -> np.ndarray:
    """`values` (samples,) with mean 0 and standard deviation 1; constants become 0."""
    return np.asarray((values - values.mean()) / (values.std() or 1.0))


def fractions(values: np.ndarray) -> np.ndarray:
    """The share of samples below each of `values` (samples,), in (0, 1); ties share their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    return ((below + counts / 2) / len(values))[inverse]


def stretch(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Maps `values` (samples,) linearly from their 1st..99th percentile onto low..high, clipped.

    Rounded to 9 decimals, so that rounding the result to whole numbers is stable.
    """
    first, last = np.percentile(values, [1, 99])
    share = np.clip((values - first) / ((last - first) or 1.0), 0.0, 1.0)
    return np.asarray(np.round(low + share * (high - low), 9))
