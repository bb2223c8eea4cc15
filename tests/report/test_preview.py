from __future__ import annotations

import base64
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sandmle.report.preview import preview, sparkline
from tests.report.overviews import picture, sample

LONG = "the pump at gate four has been rattling since the last service"


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({}, "table"),
        ({"pictures": {"images/b0.png": picture()}}, "pictures"),
        ({"series": {"value": (1.0, 2.0, 1.5)}}, "series"),
        ({"cells": {"note": LONG}}, "texts"),
        ({"cells": {}, "texts": {"notes/b0.txt": LONG}}, "texts"),
        ({"cells": {}}, "nothing"),
    ],
)
def test_a_card_shows_what_the_samples_are_made_of(parts: dict[str, object], kind: str) -> None:
    shown = preview([sample(0, **parts), sample(1, **parts)])
    assert shown["kind"] == kind
    if kind != "nothing":
        assert shown.get(kind) or shown["rows"]


def test_a_picture_in_the_page_is_the_picture_on_disk() -> None:
    shown = preview([sample(0, pictures={"images/b0.png": picture(211)})])
    head, _, data = shown["pictures"][0]["data"].partition(",")
    assert head == "data:image/png;base64"
    image = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    assert image.size == (16, 12)
    assert image.getpixel((3, 3)) == (211, 30, 60)


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=2000))
def test_a_sparkline_stays_within_its_drawing(values: list[float]) -> None:
    points = [tuple(map(float, point.split(","))) for point in sparkline(values).split()]
    assert 1 <= len(points) <= 150
    assert all(0 <= x <= 150 and 0 <= y <= 42 for x, y in points)
