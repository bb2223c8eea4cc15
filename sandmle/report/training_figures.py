"""The figures of a training page: which number of a run is drawn how, and what it says in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sandmle.report.plots import (
    Axis,
    Point,
    Tick,
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
from sandmle.report.training_runs import (
    PARTS,
    Line,
    TrainingRun,
    number,
    numbers,
    share,
    split_seconds,
)

#: How many kinds of ends are drawn by themselves; rarer ones share a colour.
_KINDS = 8

#: Ends that stand lowest, in this order; others follow as they come.
_ENDS = ("answer", "turn_limit", "token_limit", "context_limit", "time_limit", "repetition")

_REST = "all others"


@dataclass(frozen=True)
class Measure:
    """One number of a line of metrics, in a unit; `most` is what it can come to at most."""

    title: str
    of: Callable[[Line], float | None]
    unit: str = ""
    most: float | None = None
    note: str = ""


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


REWARD = Measure("Reward", lambda line: number(line, "reward"), most=1.0)

RATES = (
    Measure("Any medal", lambda line: number(line, "any_medal"), "%", 1.0),
    Measure("Valid submissions", lambda line: number(line, "valid"), "%", 1.0),
    Measure("Turns in the format", lambda line: number(line, "format"), "%", 1.0),
)

LENGTHS = (
    Measure("Turns of an episode", lambda line: number(line, "turns")),
    Measure("Tokens of an episode", lambda line: number(line, "tokens")),
)

LOST = (
    Measure(
        "Dead groups",
        lambda line: share(line, "dead_groups", "groups"),
        "%",
        1.0,
        "no two rewards of the group differ",
    ),
    Measure(
        "Replaced groups",
        lambda line: number(line, "replaced_groups"),
        note="dead ones played again on other tasks",
    ),
    Measure(
        "Masked rollouts",
        lambda line: share(line, "masked", "rollouts"),
        "%",
        1.0,
        "not learned from: time-outs, failures of ours",
    ),
)

OPTIMISER = (
    Measure("Gradient norm", lambda line: number(line, "gradient_norm"), note="before clipping"),
    Measure("Entropy", lambda line: number(line, "entropy"), note="nats a token"),
    Measure(
        "Clipped tokens",
        lambda line: number(line, "clipped"),
        "%",
        1.0,
        "whose ratio of probabilities left the trust region",
    ),
    Measure(
        "Sampling difference",
        lambda line: number(line, "sampling_difference"),
        note="of log-probabilities, engine against trainer",
    ),
)


def steps_of(runs: Sequence[TrainingRun]) -> Axis:
    """The axis of steps that all figures of a page share."""
    return step_axis(line["step"] for run in runs for line in run.lines)


def modalities(runs: Sequence[TrainingRun]) -> tuple[Measure, ...]:
    """The reward by modality."""
    found = {name for run in runs for line in run.lines for name in _by_modality(line)}

    def measure(name: str) -> Measure:
        return Measure(name, lambda line: _by_modality(line).get(name), most=1.0)

    return tuple(measure(name) for name in sorted(found))


def measured(runs: Sequence[TrainingRun], measures: Iterable[Measure]) -> tuple[Figure, ...]:
    """A figure for each measure that any run has a number of."""
    return tuple(
        _figure(runs, measure)
        for measure in measures
        if any(measure.of(line) is not None for run in runs for line in run.lines)
    )


def reward_figure(runs: Sequence[TrainingRun]) -> tuple[Figure, ...]:
    """The reward; that of a single run with its standard deviation over the rollouts of a step."""
    spread = _spread(runs[0]) if len(runs) == 1 else ""
    curves = (Curve("band", "run-0", "", spread),) if spread else ()
    return tuple(
        Figure(**{**vars(figure), "curves": curves + figure.curves})
        for figure in measured(runs, (REWARD,))
    )


def ends_figures(runs: Sequence[TrainingRun]) -> tuple[Figure, ...]:
    """How episodes ended: shares by step, stacked, a figure for each run."""
    counts: Counter[str] = Counter()
    for run in runs:
        for found in run.train:
            counts.update(numbers(found, "terminations"))
    known = [name for name in _ENDS if counts[name] > 0]
    others = [name for name, count in counts.most_common() if name not in known and count > 0]
    names = (known + others)[:_KINDS]

    def parts(found: Line) -> Mapping[str, float]:
        ended = {name: max(0.0, value) for name, value in numbers(found, "terminations").items()}
        whole = sum(ended.values())
        if not whole:
            return {}
        shares = {name: ended.pop(name, 0.0) / whole for name in names}
        return {**shares, _REST: sum(ended.values()) / whole}

    layers = [*names, *([_REST] if len(counts) > len(names) else [])]
    return _stacks(runs, layers, parts, unit="%", most=1.0, prefix="end")


def seconds_figures(runs: Sequence[TrainingRun]) -> tuple[Figure, ...]:
    """What the seconds of a step went to, stacked, with its real time as a line over it."""
    return _stacks(runs, PARTS, split_seconds, unit="s", prefix="part", whole="step")


def legend(figures: Sequence[Figure]) -> list[tuple[str, str]]:
    """The colours of stacked figures, each with its name, as they stand from the top down."""
    layers = {
        curve.colour: curve.name
        for figure in figures
        for curve in figure.curves
        if curve.kind == "layer"
    }
    return list(layers.items())


def _by_modality(found: Line) -> dict[str, float]:
    return numbers(found, "reward_by_modality")


def _points(lines: Iterable[Line], measure: Measure) -> list[Point]:
    return [(found["step"], measure.of(found)) for found in lines]


def _values(points: Iterable[Point]) -> list[float]:
    return [value for _, value in points if value is not None]


def _figure(runs: Sequence[TrainingRun], measure: Measure) -> Figure:
    """A number of training, as it is and smoothed, and of held-out tasks, of all runs together."""
    across = steps_of(runs)
    curves, drawn, told = [], [], []
    for place, run in enumerate(runs):
        points = _points(run.train, measure)
        trend = thinned(smoothed(points))
        every, held_out = thinned(points), _points(run.validation, measure)
        drawn += _values([*every, *trend, *held_out])
        colour = f"run-{place % 6}"
        kinds = (
            ("every", "training", line(every)),
            ("trend", "", line(trend)),
            ("held-out", "", line([point for point in held_out if point[1] is not None])),
            ("dots", "held out", dots(held_out)),
        )
        curves += [
            Curve(kind, colour, _named(runs, run, name) if name else "", path)
            for kind, name, path in kinds
            if path
        ]
        told += [
            f"{_named(runs, run, name)} {words}"
            for name, words in (
                ("training", _told(trend, measure)),
                ("held out", _told(held_out, measure)),
            )
            if words
        ]
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


def _named(runs: Sequence[TrainingRun], run: TrainingRun, name: str) -> str:
    return name if len(runs) == 1 else f"{run.name}, {name}"


def _told(points: Sequence[Point], measure: Measure) -> str:
    """The first and the last of points in words."""
    found = [(step, value) for step, value in points if value is not None]
    ends = found[:1] + found[1:][-1:]
    return " to ".join(
        f"{value_text(value, measure.unit)} at step {step:.0f}" for step, value in ends
    )


def _change(run: TrainingRun, measure: Measure) -> str:
    """From where to where the smoothed number of training went."""
    values = _values(smoothed(_points(run.train, measure)))
    ends = [value_text(value, measure.unit) for value in (*values[:1], *values[1:][-1:])]
    return " → ".join(ends)


def _spread(run: TrainingRun) -> str:
    """The band of one standard deviation around the reward, within what a reward can be."""
    steps = [found["step"] for found in run.train]
    means = [number(found, "reward") for found in run.train]
    deviations = [number(found, "reward_std") for found in run.train]
    known = [
        (step, mean, deviation)
        for step, mean, deviation in zip(steps, means, deviations, strict=True)
        if mean is not None and deviation is not None
    ]
    lows = thinned(smoothed([(step, max(0.0, mean - by)) for step, mean, by in known]))
    highs = thinned(smoothed([(step, min(1.0, mean + by)) for step, mean, by in known]))
    return band(
        [
            (step, low, high)
            for (step, low), (_, high) in zip(lows, highs, strict=True)
            if low is not None and high is not None
        ]
    )


def _stacks(
    runs: Sequence[TrainingRun],
    layers: Sequence[str],
    parts: Callable[[Line], Mapping[str, float]],
    *,
    unit: str,
    prefix: str,
    most: float | None = None,
    whole: str | None = None,
) -> tuple[Figure, ...]:
    """Figures of all runs to one scale: layers on each other, and a line for the `whole`."""
    across = steps_of(runs)
    found = [(run, _layers(run, layers, parts)) for run in runs]
    found = [(run, stacked) for run, stacked in found if stacked]
    wholes = {
        run.name: thinned([(one["step"], number(one, "seconds", whole)) for one in run.train])
        for run, _ in found
        if whole is not None
    }
    tops = [value for _, stacked in found for value in _values(stacked[0][1])]
    up = value_axis([*tops, *(v for one in wholes.values() for v in _values(one))], unit, most=most)
    return tuple(
        Figure(
            title="" if len(runs) == 1 else run.name,
            note="",
            change="",
            told=_stack_told(stacked, unit),
            unit=unit,
            matrix=matrix(across, up),
            across=across.ticks,
            up=up.ticks,
            curves=(
                *(
                    Curve("layer", f"{prefix}-{_class(name, layers, prefix)}", name, area(points))
                    for name, points in stacked
                ),
                *(
                    [Curve("whole", "", f"real time of a {whole}", line(wholes[run.name]))]
                    if wholes.get(run.name)
                    else []
                ),
            ),
            is_stack=True,
        )
        for run, stacked in found
    )


def _class(name: str, layers: Sequence[str], prefix: str) -> str:
    """A name for the style: the parts of a step have theirs, ends go by known names or numbers."""
    if prefix == "part" or name in _ENDS:
        return name
    return "rest" if name == _REST else f"other-{layers.index(name)}"


def _layers(
    run: TrainingRun, layers: Sequence[str], parts: Callable[[Line], Mapping[str, float]]
) -> list[tuple[str, list[Point]]]:
    """The tops of the layers of a run that are not empty, the highest first."""
    split = [(found["step"], parts(found)) for found in run.train]
    split = [(step, own) for step, own in split if own]
    tops: list[float] = [0.0] * len(split)
    stacked = []
    for name in layers:
        if not any(own.get(name) for _, own in split):
            continue
        tops = [top + own.get(name, 0.0) for top, (_, own) in zip(tops, split, strict=True)]
        points = [(step, top) for top, (step, _) in zip(tops, split, strict=True)]
        stacked.append((name, thinned(points)))
    return stacked[::-1]


def _stack_told(stacked: Sequence[tuple[str, Sequence[Point]]], unit: str) -> str:
    """The mean of every layer in words, from the lowest up."""
    below = 0.0
    told = []
    for name, points in reversed(stacked):
        values = _values(points)
        top = sum(values) / len(values)
        told.append(f"{name.replace('_', ' ')} {value_text(top - below, unit)}")
        below = top
    return f"On average: {', '.join(told)}"
