"""Guarded arithmetic: finite everywhere, and numpy's own where numpy's own is finite."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sandmle.runtime.arithmetic import SMALLEST, divide, exp, log, log1p, sqrt

_NUMBERS = arrays(float, st.integers(1, 6), elements=st.floats(-1e12, 1e12, allow_subnormal=True))


@given(_NUMBERS)
@pytest.mark.parametrize("function", [sqrt, log, log1p, exp])
def test_every_function_is_finite(
    function: Callable[[np.ndarray], np.ndarray], values: np.ndarray
) -> None:
    with np.errstate(all="raise", under="ignore"):
        result = function(values)
    assert result.dtype == float
    assert np.isfinite(result).all()


@given(st.floats(-1e12, 1e12), _NUMBERS)
def test_division_is_finite_and_keeps_the_sign(numerator: float, denominator: np.ndarray) -> None:
    with np.errstate(all="raise", under="ignore"):
        result = divide(np.asarray(numerator), denominator)
    assert np.isfinite(result).all()
    far = np.abs(denominator) >= SMALLEST
    np.testing.assert_array_equal(result[far], numerator / denominator[far])


def test_values_at_the_edges() -> None:
    edges = np.array([-1.0, 0.0, 4.0])
    np.testing.assert_allclose(sqrt(edges), [0.0, 0.0, 2.0])
    np.testing.assert_allclose(log(edges), np.log([1e-9, 1e-9, 4.0]))
    np.testing.assert_allclose(log1p(edges), np.log([1e-9, 1.0, 5.0]), rtol=1e-6)
    np.testing.assert_allclose(exp(np.array([1.0, 1e6])), np.exp([1.0, 50.0]))
    np.testing.assert_allclose(
        divide(np.asarray(1.0), np.array([0.0, -1e-12, 2.0])), [1e9, -1e9, 0.5]
    )
