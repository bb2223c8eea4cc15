"""Curves as SVG paths in the units of their data, and the axes on which a matrix lays them.

What stands in a path are the numbers themselves, so that the page's script can tell them; only
strokes keep their width (`vector-effect`), and a dot is a stroke of no length with round ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

#: A step and what was measured in it.
Point = tuple[float, float]

#: Points of a curve at most: more than a drawing has room for.
MOST = 240

#: The smoothed line's mean goes over this share of all steps, from so many steps on.
_SMOOTHED, _FROM = 0.08, 8

#: What stands behind a number.
_UNITS = {"": "", "%": "%", "s": " s"}

#: Ranges that are smaller are drawn as if nothing varied.
_SMALLEST = 1e-9


@dataclass(frozen=True)
class Tick:
    """A number beside an axis, at a place in percent from its low end."""

    place: float
    text: str


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to `high`, with round numbers beside it."""

    low: float
    high: float
    ticks: tuple[Tick, ...]


def value_axis(values: Iterable[float], unit: str, *, most: float | None = None) -> Axis:
    """An axis for values in a unit ("" for none, "%" for shares, "s" for seconds).

    It begins at 0, or below where values do, and ends at a round number above all of them, which
    is not greater than `most`.
    """
    found = list(values)
    low, high = min([0.0, *found]), max([0.0, *found])
    if high - low < _SMALLEST:
        high = low + 1.0
    step = _round_step((high - low) / 4, (1.0, 2.0, 2.5, 5.0, 10.0))
    low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
    if most is not None and most > low:
        high = min(high, most)
    return Axis(low, high, _ticks(low, high, step, unit))


def step_axis(steps: Iterable[float]) -> Axis:
    """An axis for the steps of a training, from the first to the last."""
    found = list(steps)
    low, high = min(found, default=0.0), max(found, default=1.0)
    if low == high:
        high = low + 1.0
    step = max(1.0, _round_step((high - low) / 5, (1.0, 2.0, 5.0, 10.0)))
    return Axis(low, high, _ticks(low, high, step, ""))


def matrix(x: Axis, y: Axis) -> str:
    """The matrix that lays data onto a drawing of 100 by 100, whose y goes down."""
    across, up = 100 / (x.high - x.low), -100 / (y.high - y.low)
    numbers = (across, 0, 0, up, -across * x.low, 100 - up * y.low)
    return f"matrix({' '.join(f'{value:.7g}' for value in numbers)})"


def line(points: Sequence[Point]) -> str:
    """A line through points, a dot where there is one only."""
    return f"{_through(points)}{'h0' * (len(points) == 1)}"


def dots(points: Iterable[Point]) -> str:
    """A dot at every point."""
    return "".join(f"M{_pair(step, value)}h0" for step, value in points)


def area(points: Sequence[Point]) -> str:
    """What lies between 0 and the points."""
    if len(points) < 2:
        return _through(points)
    return f"{_through(points)}L{_pair(points[-1][0], 0)}L{_pair(points[0][0], 0)}z"


def band(points: Sequence[tuple[float, float, float]]) -> str:
    """What lies between low and high values: steps, lows and highs."""
    if len(points) < 2:
        return ""
    there = [(step, high) for step, _, high in points]
    back = [(step, low) for step, low, _ in reversed(points)]
    return f"{_through(there + back)}z"


def smoothed(points: Sequence[Point]) -> list[Point]:
    """Means over the steps around each; of few steps they are the points themselves."""
    if len(points) < _FROM:
        return list(points)
    reach = max(1, round(len(points) * _SMOOTHED / 2))
    return [
        (step, _mean(points[max(0, place - reach) : place + reach + 1]))
        for place, (step, _) in enumerate(points)
    ]


def thinned(points: Sequence[Point], most: int = MOST) -> list[Point]:
    """At most so many points: means over as many steps as it takes, each at the last of them."""
    size = math.ceil(len(points) / most)
    if size <= 1:
        return list(points)
    parts = [points[start : start + size] for start in range(0, len(points), size)]
    return [(part[-1][0], _mean(part)) for part in parts]


def value_text(value: float, unit: str) -> str:
    """A value as people read it."""
    shown = 100 * value if unit == "%" else value
    text = f"{shown:,.0f}" if abs(shown) >= 100 else f"{shown:.3g}".replace("e-0", "e-")
    return f"{text}{_UNITS[unit]}"


def _mean(points: Sequence[Point]) -> float:
    return fmean(value for _, value in points)


def _through(points: Sequence[Point]) -> str:
    return "M" + "L".join(_pair(step, value) for step, value in points) if points else ""


def _pair(step: float, value: float) -> str:
    return f"{step:.10g} {value:.4g}"


def _round_step(step: float, factors: Sequence[float]) -> float:
    """The smallest of `factors`, times a power of ten, that is not less."""
    scale = 10.0 ** math.floor(math.log10(step))
    return next(scale * factor for factor in factors if scale * factor >= step * (1 - 1e-9))


def _ticks(low: float, high: float, step: float, unit: str) -> tuple[Tick, ...]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    values = [step * count for count in range(first, last + 1)]
    return tuple(
        Tick(round(100 * (value - low) / (high - low), 2), value_text(value, unit))
        for value in values
    )
