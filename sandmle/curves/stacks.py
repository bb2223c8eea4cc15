"""What makes up the steps of trainings as stacked figures: ends of episodes, and seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from sandmle.curves.figures import Curve, Figure, steps_of
from sandmle.curves.measures import measured_in
from sandmle.curves.plots import (
    Axis,
    Point,
    area,
    line,
    matrix,
    thinned,
    value_axis,
    value_text,
)
from sandmle.curves.runs import PARTS, Line, TrainingRun, number, numbers, split_seconds

#: Ends that have colours of their own, in the order in which they are stacked.
_ENDS = ("answer", "turn_limit", "token_limit", "context_limit", "time_limit", "repetition")

#: How many further ends are drawn by themselves, and what the rest of them is called.
_FURTHER, _REST = 4, "all others"

Parts = Callable[[Line], Mapping[str, float]]
Layer = tuple[str, list[Point]]


def ends_figures(runs: Sequence[TrainingRun]) -> tuple[Figure, ...]:
    """How episodes ended: shares by step, stacked, a figure for each run."""
    counts: Counter[str] = Counter()
    for run in runs:
        for found in run.train:
            counts.update({name: round(count) for name, count in _ended(found).items()})
    further = [name for name, _ in counts.most_common() if name not in _ENDS]
    names = [*(name for name in _ENDS if counts[name]), *further[:_FURTHER]]
    colours = {
        **{name: f"end-{name}" for name in _ENDS},
        **{name: f"end-further-{place}" for place, name in enumerate(further[:_FURTHER])},
        _REST: "end-rest",
    }

    def parts(found: Line) -> Mapping[str, float]:
        ended = _ended(found)
        whole = sum(ended.values())
        if not whole:
            return {}
        shares = {name: ended.pop(name, 0.0) / whole for name in names}
        return {**shares, _REST: sum(ended.values()) / whole}

    stacks = [(run, _stack(run, [*names, _REST], parts)) for run in runs]
    tops = [top for _, layers in stacks for top in _tops(layers)]
    axis = value_axis(tops, "%", most=1.0)
    return _figures(runs, stacks, axis, "%", colours)


def seconds_figures(runs: Sequence[TrainingRun]) -> tuple[Figure, ...]:
    """What the seconds of a step went to, stacked, with its real time as a line over it."""
    stacks = [(run, _stack(run, PARTS, split_seconds)) for run in runs]
    wholes = {
        run.name: thinned(measured_in(run.train, lambda found: number(found, "seconds", "step")))
        for run in runs
    }
    tops = [top for _, layers in stacks for top in _tops(layers)]
    reals = [value for points in wholes.values() for _, value in points]
    axis = value_axis([*tops, *reals], "s")
    return _figures(runs, stacks, axis, "s", {name: f"part-{name}" for name in PARTS}, wholes)


def stack_legend(figures: Sequence[Figure]) -> tuple[tuple[str, str], ...]:
    """The colours of stacked figures, each with its name, as they stand from the top down."""
    named = {
        curve.colour: curve.name for figure in figures for curve in figure.curves if curve.name
    }
    return tuple(named.items())


def _ended(found: Line) -> dict[str, float]:
    counts = numbers(found, "terminations")
    return {name: count for name, count in counts.items() if count > 0}


def _stack(run: TrainingRun, names: Sequence[str], parts: Parts) -> list[Layer]:
    """The tops of the layers of a run that are not empty, the highest first."""
    split = [(found["step"], own) for found in run.train if (own := parts(found))]
    tops = [0.0] * len(split)
    stacked: list[Layer] = []
    for name in names:
        if any(own.get(name) for _, own in split):
            tops = [top + own.get(name, 0.0) for top, (_, own) in zip(tops, split, strict=True)]
            points = [(step, top) for top, (step, _) in zip(tops, split, strict=True)]
            stacked.insert(0, (name, thinned(points)))
    return stacked


def _tops(layers: Sequence[Layer]) -> list[float]:
    return [top for _, top in layers[0][1]] if layers else []


def _figures(
    runs: Sequence[TrainingRun],
    stacks: Sequence[tuple[TrainingRun, Sequence[Layer]]],
    up: Axis,
    unit: str,
    colours: Mapping[str, str],
    wholes: Mapping[str, Sequence[Point]] | None = None,
) -> tuple[Figure, ...]:
    """The stacks that are not empty, to one scale, each with a line for its whole."""
    across = steps_of(runs)
    figures = []
    for run, layers in stacks:
        curves = [Curve("layer", colours[name], name, area(points)) for name, points in layers]
        whole = line(wholes[run.name]) if wholes is not None else ""
        if whole:
            curves += [
                Curve("halo", "", "", whole),
                Curve("whole", "part-step", "real time of a step", whole),
            ]
        figure = Figure(
            title=run.name if len(runs) > 1 else "",
            note="",
            change="",
            told=_told(layers, unit),
            unit=unit,
            matrix=matrix(across, up),
            across=across.ticks,
            up=up.ticks,
            curves=tuple(curves),
            is_stack=True,
        )
        figures += [figure] if layers else []
    return tuple(figures)


def _told(layers: Sequence[Layer], unit: str) -> str:
    """The mean of every layer in words, from the lowest up."""
    below = 0.0
    told = []
    for name, points in reversed(layers):
        mean = fmean(top for _, top in points)
        told.append(f"{name.replace('_', ' ')} {value_text(mean - below, unit)}")
        below = mean
    return f"On average: {', '.join(told)}"
