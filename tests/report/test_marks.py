"""Targets that are places in a picture are drawn where they are."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import pytest

from sandmle.report.marks import pictures_with_target, target_in_short


def png(pixels: np.ndarray) -> bytes:
    content = io.BytesIO()
    PIL.Image.fromarray(pixels.astype(np.uint8)).save(content, "PNG")
    return content.getvalue()


def read(content: bytes) -> np.ndarray:
    return np.asarray(PIL.Image.open(io.BytesIO(content)).convert("RGB"), dtype=int)


def reddened(content: bytes) -> list[tuple[int, int]]:
    """Rows and columns of the pixels that are no longer grey."""
    pixels = read(content)
    return [(int(y), int(x)) for y, x in np.argwhere(pixels[..., 0] > pixels[..., 2])]


GREY = png(np.full((3, 4), 100))


@pytest.mark.parametrize(
    ("order", "places"), [("columns", [(0, 1), (1, 1)]), ("rows", [(0, 3), (1, 0)])]
)
def test_a_mask_is_tinted_where_its_runs_lie(order: str, places: list[tuple[int, int]]) -> None:
    form = f"run_lengths (order = {order})"
    (drawn,) = pictures_with_target({"scans/a.png": GREY}, form, "4 2").values()
    assert reddened(drawn) == places


def test_boxes_are_framed_and_centres_crossed() -> None:
    grey = png(np.full((9, 9), 100))
    (boxed,) = pictures_with_target({"a.png": grey}, "bounding_boxes", "ship 1 2 3 4 3").values()
    frame = reddened(boxed)
    assert min(frame) == (3, 2)
    assert max(frame) == (5, 5)
    assert (4, 3) not in frame
    (crossed,) = pictures_with_target({"a.png": grey}, "centres", "ship 4 4").values()
    assert {(4, 2), (4, 6), (2, 4), (6, 4)} <= set(reddened(crossed))


def test_nothing_is_drawn_where_nothing_is_marked() -> None:
    for form, target in (
        ("run_lengths (order = rows)", "-"),
        ("bounding_boxes", "-"),
        ("label", "x"),
    ):
        assert pictures_with_target({"a.png": GREY}, form, target) == {"a.png": GREY}


def test_a_damaged_picture_stands_beside_its_clean_one() -> None:
    pictures = {"pages/a.png": GREY, "train_clean/a.png": png(np.full((3, 4), 250))}
    ((path, both),) = pictures_with_target(pictures, "pixels", "").items()
    assert path == "pages/a.png"
    assert read(both)[0, 0, 0] == 100
    assert read(both)[0, -1, 0] == 250


@pytest.mark.parametrize(
    ("form", "target", "short"),
    [
        ("run_lengths (order = columns)", "1 3 9 1", "4 px"),
        ("run_lengths (order = columns)", "-", "0 px"),
        ("bounding_boxes", "a 1 0 0 3 3", "1 object"),
        ("centres", "a 1 2 b 3 4", "2 objects"),
        ("label", "ripe", "ripe"),
    ],
)
def test_a_target_is_told_in_short(form: str, target: str, short: str) -> None:
    assert target_in_short(form, target) == short
