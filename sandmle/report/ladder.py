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

#: The rungs whose standard error the build measures.
_MEASURED = ("honest", "reference")


@dataclass(frozen=True)
class Mark:
    """One rung on the axis: `place` in [0, 1]; `beyond` says that it lies left of the axis.

    `reach` are the ends of its error bar, two standard errors to both sides, where it has one.
    """

    rung: Rung
    place: float
    beyond: bool
    reach: tuple[float, float] | None = None


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
    rungs: Sequence[Rung],
    thresholds: Thresholds | None,
    *,
    is_lower_better: bool,
    standard_error: float | None = None,
) -> Ladder:
    """Places rungs and thresholds. A task rejected before it had thresholds has no lines.

    `standard_error` is that of skilled work's scores: those get error bars.
    """
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

    def reach(rung: Rung) -> tuple[float, float] | None:
        if standard_error is None or rung.rung not in _MEASURED:
            return None
        ends = [place(rung.score - 2 * standard_error), place(rung.score + 2 * standard_error)]
        return min(ends), max(ends)

    return Ladder(
        tuple(
            Mark(rung, place(rung.score), sign * rung.score < worst, reach(rung)) for rung in rungs
        ),
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
