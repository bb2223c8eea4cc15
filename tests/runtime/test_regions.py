"""Connected parts of masks, by hand."""

from __future__ import annotations

import numpy as np

from sandmle.runtime.regions import find_regions


def drawn(*pictures: str) -> np.ndarray:
    """Masks from rows of characters, `#` for a pixel."""
    return np.array([[[mark == "#" for mark in row] for row in text.split()] for text in pictures])


def test_parts_have_area_box_and_elongation() -> None:
    found = find_regions(drawn("###.. ..... ...## ...##"))
    assert found.sample.tolist() == [0, 0]
    assert found.area.tolist() == [3, 4]
    assert found.box.tolist() == [[0, 0, 3, 1], [3, 2, 2, 2]]
    # Of three pixels in a row the second moments are 2/3 + 1/12 along and 1/12 across it.
    np.testing.assert_allclose(found.elongation, [3.0, 1.0])


def test_corners_connect_and_samples_do_not() -> None:
    found = find_regions(drawn("#.. .#. ...", "#.. ... ..#"))
    assert found.sample.tolist() == [0, 1, 1]
    assert found.area.tolist() == [2, 1, 1]


def test_parts_are_kept_by_choice() -> None:
    masks = drawn("##..# ##... .....")
    found = find_regions(masks)
    np.testing.assert_array_equal(found.kept(found.area > 1), drawn("##... ##... ....."))
    assert not found.kept(np.zeros(2, dtype=bool)).any()


def test_empty_masks_have_no_parts() -> None:
    found = find_regions(np.zeros((3, 4, 4), dtype=bool))
    assert len(found.area) == 0
    assert not found.kept(np.zeros(0, dtype=bool)).any()
