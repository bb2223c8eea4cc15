"""Numbers over the steps of trainings as figures: curves, axes, and what they say in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sandmle.curves.measures import REWARD, Measure
from sandmle.curves.plots import (
    Axis,
    Point,
    Tick,
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
from sandmle.curves.runs import TrainingRun, number

#: Colours of runs; further ones take them again.
COLOURS = 6

#: Dots of held-out tasks that have room beside each other.
_DOTS = 40


@dataclass(frozen=True)
class Curve:
    """A path in a figure: its kind and colour are names for the style, `name` is for people."""

    kind: str
    colour: str
    name: str
    path: str


@dataclass(frozen=True)
class Figure:
    """A figure as the template draws it; `told` is for those who do not see it.

    `change` is from where to where its number went, empty where there are several runs.
    """

    title: str
    note: str
    change: str
    told: str
    unit: str
    matrix: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    curves: tuple[Curve, ...]
    is_stack: bool = False


def steps_of(runs: Sequence[TrainingRun]) -> Axis:
    """The axis of steps that all figures of a page share."""
    return step_axis(found["step"] for run in runs for found in run.lines)


def legend(runs: Sequence[TrainingRun]) -> tuple[tuple[str, str], ...]:
    """The colours of the figures, each with what it stands for."""
    if len(runs) == 1:
        return (("run-0", "training"), ("held-out", "held-out tasks"))
    return tuple((colour_of(place), run.name) for place, run in enumerate(runs))


def colour_of(place: int) -> str:
    """The colour of the run at a place among others, as a name for the style."""
    return f"run-{place % COLOURS}"


def measured(runs: Sequence[TrainingRun], measures: Iterable[Measure]) -> tuple[Figure, ...]:
    """A figure for each measure that any run has a number of."""
    figures = (_figure(runs, measure) for measure in measures)
    return tuple(figure for figure in figures if figure.curves)


def reward_figure(runs: Sequence[TrainingRun]) -> tuple[Figure, ...]:
    """The reward; that of a single run with its standard deviation over the rollouts of a step."""
    around = _spread(runs[0]) if len(runs) == 1 else []
    figure = _figure(runs, REWARD, beside=[end for _, *ends in around for end in ends])
    if around:
        curves = (Curve("band", "run-0", "", band(around)), *figure.curves)
        figure = replace(figure, curves=curves)
    return (figure,) if figure.curves else ()


def _figure(
    runs: Sequence[TrainingRun], measure: Measure, *, beside: Sequence[float] = ()
) -> Figure:
    """A number of training, as it is and smoothed, and of held-out tasks, of all runs together.

    The axis has room for what is drawn `beside` them, too.
    """
    across = steps_of(runs)
    drawn = [*beside]
    curves: list[Curve] = []
    told = []
    for place, run in enumerate(runs):
        trained = measure.trained(run)
        every, trend = thinned(trained), thinned(smoothed(trained))
        held_out = thinned(measure.held_out(run), _DOTS)
        drawn += [value for _, value in (*every, *trend, *held_out)]
        names = [name if len(runs) == 1 else f"{run.name}, {name}" for name in _SPLITS]
        colours = (colour_of(place), "held-out" if len(runs) == 1 else colour_of(place))
        curves += _curves(names, colours, (every, trend), held_out)
        told += [f"{names[0]} {_told(trend, measure)}"] if trend else []
        told += [f"{names[1]} {_told(held_out, measure)}"] if held_out else []
    up = value_axis(drawn, measure.unit, most=measure.most)
    return Figure(
        title=measure.title,
        note=measure.note,
        change=_change(runs[0], measure) if len(runs) == 1 else "",
        told=f"{measure.title}: {'; '.join(told)}",
        unit=measure.unit,
        matrix=matrix(across, up),
        across=across.ticks,
        up=up.ticks,
        curves=tuple(curves),
    )


_SPLITS = ("training", "held out")


def _curves(
    names: Sequence[str],
    colours: Sequence[str],
    trained: Sequence[Sequence[Point]],
    held_out: Sequence[Point],
) -> Iterator[Curve]:
    """The curves of one run that are not empty."""
    every, trend = trained
    for kind, place, name, path in (
        ("every", 0, names[0], line(every)),
        ("trend", 0, "", line(trend)),
        ("dashes", 1, "", line(held_out)),
        ("dots", 1, names[1], dots(held_out)),
    ):
        if path:
            yield Curve(kind, colours[place], name, path)


def _told(points: Sequence[Point], measure: Measure) -> str:
    """The first and the last of points in words."""
    return " to ".join(
        f"{value_text(value, measure.unit)} at step {step:.0f}" for step, value in _ends(points)
    )


def _change(run: TrainingRun, measure: Measure) -> str:
    """From where to where the smoothed number of training went."""
    ends = _ends(smoothed(measure.trained(run)))
    return " → ".join(value_text(value, measure.unit) for _, value in ends)


def _ends(points: Sequence[Point]) -> list[Point]:
    """The first and the last of points, if they are two."""
    return [*points[:1], *points[1:][-1:]]


def _spread(run: TrainingRun) -> list[tuple[float, float, float]]:
    """Steps, and one standard deviation below and above the reward, within what one can be."""
    known = [
        (found["step"], mean, deviation)
        for found in run.train
        if (mean := number(found, "reward")) is not None
        and (deviation := number(found, "reward_std")) is not None
    ]
    lows = thinned(smoothed([(step, max(0.0, mean - by)) for step, mean, by in known]))
    highs = thinned(smoothed([(step, min(1.0, mean + by)) for step, mean, by in known]))
    return [(step, low, high) for (step, low), (_, high) in zip(lows, highs, strict=True)]
