"""Words on masks, pictures and boxes: what rules and noise do to small ones, drawn by hand."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image
from sklearn.metrics import roc_auc_score

from tests.runtime.test_regions import drawn
from tests.vocabulary.calling import call

MASKS = {
    "a": drawn("##..... ##....# ....... ...###. ...###."),
    "b": drawn("....... ....... ....#.. ....... ......."),
    "c": drawn(".##.... .#..... ....... ....... ......."),
}


def found(use: dict[str, Any]) -> np.ndarray:
    """What a rule gives for the masks above."""
    result: np.ndarray = call("hidden", use, factors=MASKS)
    return result


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (
            {"kind": "largest_regions", "of": "a"},
            "....... ....... ....... ...###. ...###.",
        ),
        (
            {"kind": "largest_regions", "of": "a", "keep": 2},
            "##..... ##..... ....... ...###. ...###.",
        ),
        (
            {"kind": "regions_where", "of": "a", "by": "area", "above": 3, "rest": True},
            "....... ......# ....... ....... .......",
        ),
        (
            {"kind": "regions_where", "of": "a", "by": "elongation", "above": 1.2},
            "....... ....... ....... ...###. ...###.",
        ),
        (
            {"kind": "regions_near", "of": "a", "near": "b", "within": 1},
            "....... ....... ....... ...###. ...###.",
        ),
        (
            {"kind": "regions_near", "of": "a", "near": "b", "within": 2},
            "....... ......# ....... ...###. ...###.",
        ),
        (
            {"kind": "overlap_of", "first": "c", "second": "a", "how": "both"},
            ".#..... .#..... ....... ....... .......",
        ),
        (
            {"kind": "overlap_of", "first": "c", "second": "a", "how": "first_only"},
            "..#.... ....... ....... ....... .......",
        ),
    ],
)
def test_rules_choose_the_regions_that_they_name(use: dict[str, Any], expected: str) -> None:
    np.testing.assert_array_equal(found(use), drawn(expected))


def test_an_outline_is_what_touches_something_else() -> None:
    square = np.zeros((1, 9, 9), dtype=bool)
    square[0, 2:7, 2:7] = True
    use = {"kind": "outline_of", "of": "square", "width": 1}
    outline = call("hidden", use, factors={"square": square})
    inside = np.zeros_like(square)
    inside[0, 3:6, 3:6] = True
    np.testing.assert_array_equal(outline, square & ~inside)


def test_a_distance_map_is_the_distance_to_the_nearest_pixel() -> None:
    masks = np.random.default_rng(0).random((3, 9, 7)) < 0.05
    masks[2] = False
    use = {"kind": "distance_map", "of": "m", "reach": 4.0}
    shown = call("hidden", use, factors={"m": masks})
    for mask, picture in zip(masks, shown, strict=True):
        marked = np.argwhere(mask)
        for place in np.ndindex(picture.shape):
            nearest = np.linalg.norm(marked - place, axis=1).min() if len(marked) else np.inf
            assert picture[place] == pytest.approx(min(nearest / 4.0, 1.0), abs=1e-4)


def boxes(*rows: tuple[float, ...]) -> np.ndarray:
    pictures = np.empty(1, dtype=object)
    pictures[0] = np.array(rows, dtype=float).reshape(-1, 5)
    return pictures


def test_objects_beside_a_marker_count_and_become_classes_in_order() -> None:
    things = boxes((1, 0, 0, 6, 6), (0, 40, 40, 6, 6), (2, 8, 0, 6, 6), (0, 0, 9, 6, 6))
    use = {"kind": "objects_beside", "of": "t", "kinds": [1, 0], "marker": 2, "within": 9}
    (counted,) = call("hidden", use, factors={"t": things})
    assert counted.tolist() == [[0, 0, 0, 6, 6]]
    use = {"kind": "objects_of", "of": "t", "kinds": [2, 0]}
    (counted,) = call("hidden", use, factors={"t": things})
    assert counted[:, 0].tolist() == [1, 0, 1]


def test_boxes_of_regions_have_the_class_of_their_area() -> None:
    (around,) = found({"kind": "region_boxes", "of": "a", "areas": [2, 5]})
    assert around.tolist() == [[0, 0, 0, 2, 2], [1, 3, 3, 3, 2]]


def test_a_ragged_outline_moves_outlines_alone() -> None:
    masks = np.zeros((20, 24, 24), dtype=bool)
    masks[:, 6:18, 6:18] = True
    use = {"kind": "ragged_outline", "width": 0.6}
    ragged = call("noise", use, masks, factors={})
    changed = ragged ^ masks
    assert changed.any()
    assert not changed[:, 10:14, 10:14].any()
    assert not changed[:, :2].any()


def test_missed_regions_are_missing_whole() -> None:
    masks = np.tile(drawn("##..# ##..# ....."), (200, 1, 1))
    use = {"kind": "missed_regions", "rate": 0.3}
    seen = call("noise", use, masks, factors={})
    sizes = seen[:, :, :2].sum(axis=(1, 2))
    assert set(sizes.tolist()) == {0, 4}
    assert 0.2 < (sizes == 0).mean() < 0.4


def pixels(use: dict[str, Any], mask: np.ndarray) -> np.ndarray:
    """What a word shows of a mask, in 0..255."""
    files = call("observe", use, factors={"mask": mask})
    return np.stack([np.asarray(Image.open(io.BytesIO(file))) for file in files])


@pytest.mark.parametrize(
    ("kind", "dial", "easy", "hard"),
    [
        ("scan", "unevenness", 0.02, 0.3),
        ("scan", "contrast", 0.4, 0.1),
        ("scan", "noise", 0.02, 0.3),
        ("weave", "tint", 0.3, 0.05),
    ],
)
def test_a_pixel_alone_says_less_of_the_mask_as_the_dial_turns(
    kind: str, dial: str, easy: float, hard: float
) -> None:
    mask = call("factors", {"kind": "patches"}, 40, factors={})
    told = [
        roc_auc_score(
            mask.ravel(), pixels({"kind": kind, "mask": "mask", dial: value}, mask).ravel()
        )
        for value in (easy, hard)
    ]
    assert told[0] > told[1] + 0.1


def test_frames_show_the_mask_in_one_of_them() -> None:
    mask = call("factors", {"kind": "lines"}, 30, factors={})
    use = {"kind": "frames", "mask": "mask", "frames": 3, "shown": 2, "clutter": 0.02}
    files = call("observe", use, factors={"mask": mask})
    assert [len(sample) for sample in files] == [3] * 30
    for number in range(3):
        seen = np.stack([np.asarray(Image.open(io.BytesIO(sample[number]))) for sample in files])
        told = roc_auc_score(mask.ravel(), seen.ravel())
        assert told > 0.95 if number == 1 else abs(told - 0.5) < 0.05


def test_objects_fill_their_boxes_in_the_scene() -> None:
    use = {"kind": "objects", "size": [40, 40], "kinds": 6, "count": [2, 4]}
    things = call("factors", use, 30, factors={})
    scene = {"kind": "object_scene", "objects": "mask", "size": [40, 40]}
    scene |= {"clutter": 0, "noise": 0.0, "unevenness": 0.0}
    for picture, objects in zip(pixels(scene, things), things, strict=True):
        rest = picture > picture.min()
        for _, left, top, width, height in objects.astype(int):
            part = rest[top : top + height, left : left + width]
            assert all(part.any(axis=axis)[[0, -1]].all() for axis in (0, 1))
            rest[top : top + height, left : left + width] = False
        assert not rest.any()
