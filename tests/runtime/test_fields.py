"""Random fields."""

from __future__ import annotations

import numpy as np
import pytest

from sandmle.runtime.fields import smooth_fields, soften


def likeness(fields: np.ndarray, step: int) -> float:
    """Correlation of pixels `step` apart, over the edges too."""
    return float((fields * np.roll(fields, step, axis=2)).mean())


@pytest.mark.parametrize("scale", [0.0, 2.0, 8.0])
def test_fields_have_mean_0_and_deviation_1_in_each_sample(scale: float) -> None:
    fields = smooth_fields(np.random.default_rng(0), (5, 20, 24), scale)
    assert fields.shape == (5, 20, 24)
    np.testing.assert_allclose(fields.mean(axis=(1, 2)), 0, atol=1e-5)
    np.testing.assert_allclose(fields.std(axis=(1, 2)), 1, atol=1e-5)


def test_a_wider_scale_makes_neighbours_more_alike() -> None:
    rng = np.random.default_rng(1)
    rough, middle, smooth = (
        likeness(smooth_fields(rng, (40, 32, 32), scale), 2) for scale in (0.0, 1.5, 6.0)
    )
    assert abs(rough) < 0.05
    assert rough < middle < smooth


def test_blur_keeps_the_sum_of_what_lies_inside() -> None:
    mask = np.zeros((1, 21, 21), dtype=bool)
    mask[0, 10, 10] = True
    assert soften(mask, 1.0).sum() == pytest.approx(1.0)
    np.testing.assert_array_equal(soften(mask, 0.0), mask)
