from __future__ import annotations

import base64
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sandmle.report.graphs import SampleGraph, drawing
from sandmle.report.preview import preview, sparkline
from sandmle.report.sounds import loudness
from tests.report.overviews import picture, sample, sound

TRIANGLE = SampleGraph(("C", "O", "C", "H"), ((0, 1), (1, 2), (0, 2)), (), (0, 3))
LONG = "the pump at gate four has been rattling since the last service"


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({}, "table"),
        ({"pictures": {"images/b0.png": picture()}}, "pictures"),
        ({"series": {"value": (1.0, 2.0, 1.5)}}, "series"),
        ({"sounds": {"calls/b0.wav": sound()}}, "sounds"),
        ({"graph": TRIANGLE}, "graphs"),
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


def test_a_sound_in_the_page_is_the_sound_on_disk_and_its_wave_is_drawn() -> None:
    content = sound(height=64)
    shown = preview([sample(0, sounds={"calls/b0.wav": content})])["sounds"][0]
    head, _, data = shown["data"].partition(",")
    assert head == "data:audio/wav;base64"
    assert base64.b64decode(data) == content
    heights = loudness(content, 4)
    assert heights == pytest.approx((0.5, 0.5, 0, 0), abs=0.02)
    points = [tuple(map(float, point.split(","))) for point in shown["points"].split()]
    assert all(0 <= x <= 150 and 0 <= y <= 42 for x, y in points)
    assert points[0][1] < 5
    assert points[119][1] == pytest.approx(21, abs=1)


def test_a_graph_is_drawn_with_edges_of_like_length_within_its_frame() -> None:
    shown = drawing(SampleGraph(("a", "b", "c", "d"), ((0, 1), (1, 2), (2, 3), (3, 0)), (), (1, 3)))
    places = [(float(node["x"]), float(node["y"])) for node in shown["nodes"]]
    assert all(0 <= value <= 100 for place in places for value in place)
    sides = [math.dist(places[a], places[b]) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))]
    assert max(sides) < 1.05 * min(sides)
    assert [node["marked"] for node in shown["nodes"]] == [False, True, False, True]
    assert shown["lines"].count("M") == 4
    assert shown["summary"] == "4 nodes, 4 edges: a 1, b 1, c 1, d 1"


def test_a_graph_in_space_is_seen_from_its_widest_side() -> None:
    places = ((0.0, 0, 5), (0.0, 4, 5), (0.1, 8, 5))
    shown = drawing(SampleGraph(("", "", ""), ((0, 1), (1, 2)), places, ()))
    across = [float(node["x"]) for node in shown["nodes"]]
    assert sorted(across) in (across, across[::-1])
    assert max(across) - min(across) == pytest.approx(86, abs=0.2)
