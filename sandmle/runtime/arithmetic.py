"""Arithmetic that stays finite on any finite input, for formulas."""

from __future__ import annotations

import numpy as np

#: The smallest magnitude that a divisor, or the argument of a logarithm, is taken to have.
SMALLEST = 1e-9

#: The largest exponent: e ** 50 is about 5e21, and its square and cube are still finite.
LARGEST_EXPONENT = 50.0


def divide(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """`numerator / denominator`, whose magnitude counts as SMALLEST at least; 0 is positive."""
    magnitude = np.maximum(np.abs(denominator), SMALLEST)
    result: np.ndarray = numerator / np.where(np.less(denominator, 0), -magnitude, magnitude)
    return result


def sqrt(values: np.ndarray) -> np.ndarray:
    """The square root, 0 for negative values."""
    result: np.ndarray = np.sqrt(np.maximum(values, 0))
    return result


def log(values: np.ndarray) -> np.ndarray:
    """The natural logarithm of values that count as SMALLEST at least."""
    result: np.ndarray = np.log(np.maximum(values, SMALLEST))
    return result


def log1p(values: np.ndarray) -> np.ndarray:
    """log(1 + values), where `1 + values` counts as SMALLEST at least."""
    result: np.ndarray = np.log1p(np.maximum(values, SMALLEST - 1))
    return result


def exp(values: np.ndarray) -> np.ndarray:
    """e to the power of values that count as LARGEST_EXPONENT at most."""
    result: np.ndarray = np.exp(np.minimum(values, LARGEST_EXPONENT))
    return result
