"""Axes and paths, by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandmle.curves.plots import (
    area,
    band,
    dots,
    line,
    matrix,
    smoothed,
    step_axis,
    thinned,
    value_axis,
    value_text,
)


def test_an_axis_begins_at_zero_and_ends_at_a_round_number() -> None:
    axis = value_axis([0.3, 0.62], "%", most=1.0)
    assert (axis.low, axis.high) == (0.0, 0.8)
    assert [(tick.place, tick.text) for tick in axis.ticks] == [
        *((0.0, "0%"), (25.0, "20%"), (50.0, "40%"), (75.0, "60%"), (100.0, "80%")),
    ]
    assert value_axis([0.93], "", most=1.0).high == 1.0
    assert value_axis([-3.0, 1.0], "").low == -3.0
    assert (value_axis([], "").low, value_axis([0.0], "").high) == (0.0, 1.0)


def test_steps_are_told_in_whole_numbers() -> None:
    assert [tick.text for tick in step_axis([1, 2, 3]).ticks] == ["1", "2", "3"]
    assert [tick.text for tick in step_axis([0, 1000]).ticks] == [
        *("0", "200", "400", "600", "800", "1,000"),
    ]
    assert step_axis([7]).high == 8


@given(st.lists(st.floats(-1e15, 1e15), max_size=5))
def test_every_value_lies_on_its_axis(values: list[float]) -> None:
    axis = value_axis(values, "s")
    slack = 1e-6 * (axis.high - axis.low)
    assert all(axis.low - slack <= value <= axis.high + slack for value in values)
    assert 2 <= len(axis.ticks) <= 8
    assert all(math.isfinite(tick.place) for tick in axis.ticks)


def test_the_matrix_turns_data_upside_down_into_a_square() -> None:
    laid = matrix(step_axis([10, 20]), value_axis([0.5], "", most=0.5))
    a, b, c, d, e, f = (float(part) for part in laid[len("matrix(") : -1].split())
    assert (b, c) == (0, 0)
    assert (a * 10 + e, d * 0.0 + f) == (0, 100)
    assert (a * 20 + e, d * 0.5 + f) == (100, 0)


def test_paths_hold_the_numbers_themselves() -> None:
    points = [(1, 0.5), (2, 0.25), (4, 1.0)]
    assert line(points) == "M1 0.5L2 0.25L4 1"
    assert line(points[:1]) == "M1 0.5h0"
    assert dots(points) == "M1 0.5h0M2 0.25h0M4 1h0"
    assert area(points) == "M1 0.5L2 0.25L4 1L4 0L1 0z"
    assert band([(1, 0.1, 0.3), (2, 0.2, 0.4)]) == "M1 0.3L2 0.4L2 0.2L1 0.1z"
    assert (line([]), area([]), band([(1, 0, 1)])) == ("", "", "")


def test_smoothing_is_over_the_steps_around() -> None:
    few = [(step, float(step)) for step in range(7)]
    assert smoothed(few) == few
    points = [(step, 3.0 * (step == 4)) for step in range(10)]
    assert [value for _, value in smoothed(points)] == [0, 0, 0, 1, 1, 1, 0, 0, 0, 0]


def test_thinning_keeps_means_and_the_last_step() -> None:
    points = [(step, float(step)) for step in range(1, 6)]
    assert thinned(points, 5) == points
    assert thinned(points, 2) == [(3, 2.0), (5, 4.5)]
    assert len(thinned([(step, 1.0) for step in range(1000)])) <= 240


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        *((0.125, "%", "12.5%"), (1, "%", "100%"), (0.4567, "", "0.457"), (12345.6, "", "12,346")),
        *((1.5, "s", "1.5 s"), (0.00005, "", "5e-5"), (0.0, "s", "0 s")),
    ],
)
def test_values_are_short(value: float, unit: str, text: str) -> None:
    assert value_text(value, unit) == text
