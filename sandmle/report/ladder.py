"""Where the rungs of a ladder and the medal lines lie, on an axis on which right is better.

One geometry for the terminal's bars and the page's plots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sandmle.build.verdict import Rung
from sandmle.spec.model import Thresholds

LINES = ("median", "bronze", "silver", "gold")

#: Rungs worse than the median by more than this many times (gold - median) are drawn at the edge:
#: log loss of a random guess would squeeze all that matters into a corner.
_REACH = 1.5


@dataclass(frozen=True)
class Mark:
    """One rung on the axis: `place` in [0, 1]; `beyond` says that it lies left of the axis."""

    rung: Rung
    place: float
    beyond: bool


@dataclass(frozen=True)
class Line:
    """One threshold on the axis."""

    name: str
    score: float
    place: float


@dataclass(frozen=True)
class Ladder:
    """The marks in the order of their rungs, and the four lines from median to gold."""

    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]


def lay_out(
    rungs: Sequence[Rung], thresholds: Thresholds | None, *, is_lower_better: bool
) -> Ladder:
    """Places rungs and thresholds. A task rejected before it had thresholds has no lines."""
    lines = [] if thresholds is None else [(name, getattr(thresholds, name)) for name in LINES]
    sign = -1.0 if is_lower_better else 1.0
    inner = [sign * score for _, score in lines]
    best = max([*inner, *(sign * rung.score for rung in rungs)], default=0.0)
    worst = min([*inner, *(sign * rung.score for rung in rungs)], default=0.0)
    if inner:
        worst = max(worst, min(inner) - _REACH * (max(inner) - min(inner)))
    span = (best - worst) or 1.0

    def place(score: float) -> float:
        return min(1.0, max(0.0, (sign * score - worst) / span))

    return Ladder(
        tuple(Mark(rung, place(rung.score), sign * rung.score < worst) for rung in rungs),
        tuple(Line(name, score, place(score)) for name, score in lines),
    )


def best_of_each(rungs: Sequence[Rung], *, is_lower_better: bool) -> tuple[Rung, ...]:
    """The best baseline of every rung, in the order in which rungs first appear."""
    best: dict[str, Rung] = {}
    for rung in rungs:
        known = best.get(rung.rung)
        if known is None or (rung.score < known.score) == is_lower_better:
            best[rung.rung] = rung
    return tuple(best.values())
