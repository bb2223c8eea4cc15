"""What an observe word shows of a factor can be read off again by somebody who looks closely."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage
from scipy.stats import spearmanr

from tests.vocabulary.calling import call, draw_factors

SAMPLES = 200
NUMBER = {"kind": "normal"}
FACTORS: dict[str, dict[str, Any]] = {
    "a": NUMBER,
    "b": NUMBER,
    "c": NUMBER,
    "visits": {"kind": "count", "mean": 4.0},
    "colour": {"kind": "category", "levels": ["red", "green", "blue"]},
    "day": {"kind": "integer", "low": 0, "high": 400},
    "note": {"kind": "document", "length": 40},
    "signal": {"kind": "autoregressive", "length": 60},
}
SHOWN = draw_factors(FACTORS, SAMPLES)


def observe(**use: Any) -> Any:
    return call("observe", use, factors=SHOWN)


def pixels(files: list[bytes]) -> np.ndarray:
    return np.stack([np.asarray(Image.open(io.BytesIO(file)), dtype=float) / 255 for file in files])


def agreement(read: np.ndarray, factor: str) -> float:
    """Rank correlation of what was read with the true factor."""
    return float(spearmanr(read, SHOWN[factor]).statistic)


def spots(picture: np.ndarray) -> int:
    return int(ndimage.label(ndimage.gaussian_filter(picture, 0.7) > 0.25)[1])


def direction(picture: np.ndarray) -> float:
    """Direction of the strokes by the structure tensor, in degrees from -15 to 165."""
    down, across = np.gradient(ndimage.gaussian_filter(picture, 1.0))
    across_down = -(across * down).sum()
    angle = 0.5 * np.arctan2(2 * across_down, (across**2 - down**2).sum()) + np.pi / 2
    return float((np.rad2deg(angle) + 15) % 180)


def wave_count(picture: np.ndarray) -> float:
    power = np.abs(np.fft.rfft2(picture - picture.mean()))
    row, column = np.unravel_index(power.argmax(), power.shape)
    return float(np.hypot(min(row, len(picture) - row), column))


def way_right(picture: np.ndarray) -> float:
    """From the ring, whose middle is dark, to the disc."""
    smooth = ndimage.gaussian_filter(picture, 1.2)
    disc = np.unravel_index(smooth.argmax(), smooth.shape)
    down, across = np.mgrid[: len(picture), : len(picture)]
    rest = np.where(np.hypot(down - disc[0], across - disc[1]) > 4, picture > 0.45, 0)
    return float(disc[1] - (rest * across).sum() / max(1, rest.sum()))


IMAGES: list[tuple[dict[str, Any], str, Callable[[np.ndarray], float], float]] = [
    ({"kind": "blobs", "count": "visits"}, "visits", spots, 0.9),
    ({"kind": "blobs", "count": "visits", "brightness": "a"}, "a", np.max, 0.5),
    ({"kind": "strokes", "angle": "a"}, "a", direction, 0.9),
    ({"kind": "strokes", "angle": "a", "length": "b"}, "b", np.sum, 0.5),
    ({"kind": "grating", "frequency": "a"}, "a", wave_count, 0.9),
    ({"kind": "grating", "frequency": "a", "contrast": "b"}, "b", np.std, 0.9),
    ({"kind": "pair", "right": "a"}, "a", way_right, 0.8),
    ({"kind": "shapes", "shape": "colour", "brightness": "a"}, "a", np.max, 0.7),
]


@pytest.mark.parametrize(("use", "factor", "read", "least"), IMAGES)
def test_pictures_show_their_factors(
    use: dict[str, Any], factor: str, read: Callable[[np.ndarray], float], least: float
) -> None:
    found = np.array([read(picture) for picture in pixels(observe(**use))])
    assert agreement(found, factor) > least


def test_shapes_differ_by_level() -> None:
    pictures = pixels(observe(kind="shapes", shape="colour", radius="a", noise=0.02))
    corners = []
    for picture in pictures:
        solid = picture > 0.3
        down, across = np.nonzero(solid)
        box = (np.ptp(down) + 1) * (np.ptp(across) + 1)
        corners.append(solid.sum() / box)
    filled = [np.mean(np.array(corners)[SHOWN["colour"] == level]) for level in ("red", "green")]
    # The levels sorted are blue, green, red: a disc, a square and a diamond.
    assert filled[1] > 0.9
    assert filled[0] < 0.7


@pytest.mark.parametrize("size", [[16, 16], [64, 40]])
@pytest.mark.parametrize(
    "use",
    [
        {"kind": "blobs", "count": "visits", "most": 16},
        {"kind": "strokes", "angle": "a"},
        {"kind": "grating", "frequency": "a"},
        {"kind": "pair", "right": "a"},
        {"kind": "shapes", "shape": "colour"},
    ],
    ids=lambda use: use["kind"],
)
def test_pictures_have_the_size_asked_for(use: dict[str, Any], size: list[int]) -> None:
    found = pixels(observe(**use, size=size)[:3])
    assert found.shape == (3, size[1], size[0])
    assert (found.std(axis=(1, 2)) > 0.02).all()


def series(**use: Any) -> np.ndarray:
    _, columns = observe(kind="readings", background="signal", **use)
    values: np.ndarray = columns["value"].reshape(SAMPLES, 60)
    return values


def dominant(values: np.ndarray) -> np.ndarray:
    power = np.abs(np.fft.rfft(values - values.mean(axis=1, keepdims=True), axis=1))
    return power[:, 2:].argmax(axis=1)


def jump_place(values: np.ndarray) -> np.ndarray:
    centred = np.cumsum(values - values.mean(axis=1, keepdims=True), axis=1)
    return np.abs(centred).argmax(axis=1)


def test_readings_show_their_factors() -> None:
    strong = {"strength": 3.0}
    moment = np.arange(60) - 29.5
    assert agreement(series(level="a").mean(axis=1), "a") > 0.9
    assert agreement(series(slope="a", **strong) @ moment, "a") > 0.9
    assert agreement(dominant(series(frequency="a", **strong)), "a") > 0.9
    assert agreement(series(amplitude="a", **strong).std(axis=1), "a") > 0.8
    assert agreement(jump_place(series(change="a", **strong)), "a") > 0.9
    assert agreement((series(bursts="visits", **strong) > 3.5).sum(axis=1), "visits") > 0.9


def test_readings_hide_where_patterns_begin() -> None:
    for pattern in ("frequency", "change"):
        values = series(**{pattern: "a"})
        assert abs(agreement(values.mean(axis=1), "a")) < 0.25
        assert abs(agreement(values[:, 30], "a")) < 0.25


def test_events_show_their_factors() -> None:
    index, columns = observe(
        kind="events", count="visits", mean="a", spread="b", recency="day", largest=500.0
    )
    amounts = [columns["amount"][index == sample] for sample in range(SAMPLES)]
    days = [columns["day"][index == sample] for sample in range(SAMPLES)]
    assert agreement(np.array([len(values) for values in amounts]), "visits") > 0.95
    assert agreement(np.array([np.ptp(values) for values in amounts]), "b") > 0.95
    assert agreement(np.array([(np.max(v) + np.min(v)) / 2 for v in amounts]), "a") > 0.95
    assert agreement(np.array([-values.max() for values in days]), "day") > 0.95
    assert all((np.diff(values) >= 0).all() for values in days), "events stand in order of time"
    assert np.concatenate(amounts).max() <= 500
    _, last = observe(kind="events", count="visits", last="c")
    latest = np.append(np.flatnonzero(np.diff(index)), len(index) - 1)
    assert agreement(last["amount"][latest], "c") > 0.95


def test_texts_mention_words_as_often_as_a_factor_says() -> None:
    words = ["leak", "drip"]
    documents = observe(
        kind="text",
        name="review",
        filler="note",
        mentions=[{"words": words, "count": "visits", "most": 8}],
        tone={"of": "a", "good": ["fine"], "bad": ["poor"]},
        topic={"of": "colour", "words": ["sea", "leaf", "rose", "sky", "moss", "brick"]},
    )["review"]
    split = [document.replace(".", "").lower().split() for document in documents]
    counts = np.array([sum(text.count(word) for word in words) for text in split])
    assert agreement(counts, "visits") > 0.95
    assert agreement(np.array([text.count("fine") for text in split]), "a") > 0.9
    blue = np.array([bool({"sea", "sky"} & set(text)) for text in split])
    assert (blue == (SHOWN["colour"] == "blue")).mean() > 0.95


def test_texts_keep_the_length_of_their_filler() -> None:
    planted = observe(
        kind="text", name="t", filler="note", mentions=[{"words": ["leak"], "count": "visits"}]
    )["t"]
    words = [len(document.split()) for document in planted]
    assert words == [len(document.split()) for document in SHOWN["note"]]
    cut = observe(kind="text", name="t", filler="note", length="a")["t"]
    share = np.array([len(text.split()) for text in cut]) / words
    assert agreement(share, "a") > 0.95


def test_clauses_show_order_and_nothing_else() -> None:
    documents = observe(
        kind="clauses", name="t", filler="note", order="a", first="signed", second="paid", pairs=2
    )["t"]
    first = np.array([text.split().index("signed") for text in documents])
    second = np.array([text.split().index("paid") for text in documents])
    assert ((first < second) == (SHOWN["a"] > np.median(SHOWN["a"]))).all()
    assert all(text.count("signed") == text.count("paid") == 2 for text in documents)


def test_columns_show_dates_bands_and_codes() -> None:
    dates = observe(kind="date_column", name="on", of="day", start="2023-12-31", form="%d/%m/%Y")
    assert dates["on"][np.argmin(SHOWN["day"])] == "31/12/2023"
    bands = observe(kind="banded_column", name="size", of="a", bands=["s", "m", "l", "xl"])["size"]
    assert [int((bands == band).sum()) for band in ("s", "m", "l", "xl")] == [50, 50, 50, 50]
    assert SHOWN["a"][bands == "s"].max() < SHOWN["a"][bands == "xl"].min()
    codes = observe(kind="code_column", name="batch", parts=["colour", "day"])["batch"]
    colours, days = zip(*(code.split("-") for code in codes), strict=True)
    assert list(colours) == list(SHOWN["colour"])
    assert np.array(days, dtype=float).tolist() == SHOWN["day"].tolist()
    assert {len(day) for day in days} == {3}
