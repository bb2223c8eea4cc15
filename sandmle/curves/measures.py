"""The numbers of a training that a page draws over its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sandmle.curves.plots import Point
from sandmle.curves.runs import Line, TrainingRun, number, numbers, share


@dataclass(frozen=True)
class Measure:
    """One number of a line of metrics, in a unit; `most` is what it can come to at most.

    `is_of_training` says that it means nothing on held-out tasks.
    """

    title: str
    of: Callable[[Line], float | None]
    unit: str = ""
    most: float | None = None
    note: str = ""
    is_of_training: bool = False

    def trained(self, run: TrainingRun) -> list[Point]:
        """What it is in those steps of a run that have it."""
        return measured_in(run.train, self.of)

    def held_out(self, run: TrainingRun) -> list[Point]:
        """What it is in those evaluations of a run that have it."""
        return [] if self.is_of_training else measured_in(run.validation, self.of)


def measured_in(lines: Iterable[Line], of: Callable[[Line], float | None]) -> list[Point]:
    """The steps of lines that have a number, and the number."""
    return [(line["step"], value) for line in lines if (value := of(line)) is not None]


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
        "no two of their rewards differ",
        is_of_training=True,
    ),
    Measure(
        "Replaced groups",
        lambda line: number(line, "replaced_groups"),
        note="dead ones, by groups on other tasks",
        is_of_training=True,
    ),
    Measure(
        "Masked rollouts",
        lambda line: share(line, "masked", "rollouts"),
        "%",
        1.0,
        "time-outs, and failures of ours",
        is_of_training=True,
    ),
)

UPDATE = (
    Measure("Gradient norm", lambda line: number(line, "gradient_norm"), note="before clipping"),
    Measure("Entropy", lambda line: number(line, "entropy"), note="nats a token"),
    Measure(
        "Clipped tokens",
        lambda line: number(line, "clipped"),
        "%",
        1.0,
        "whose chance changed by more than the clip allows",
    ),
    Measure(
        "Sampling difference",
        lambda line: number(line, "sampling_difference"),
        note="mean distance of log-probabilities, engine to trainer",
    ),
    Measure("Loss", lambda line: number(line, "loss"), note="by GRPO it says little of learning"),
)


def modalities(runs: Sequence[TrainingRun]) -> tuple[Measure, ...]:
    """The reward by modality."""
    found = {name for run in runs for line in run.lines for name in _by_modality(line)}

    def measure(name: str) -> Measure:
        return Measure(name, lambda line: _by_modality(line).get(name), most=1.0)

    return tuple(measure(name) for name in sorted(found))


def _by_modality(line: Line) -> dict[str, float]:
    return numbers(line, "reward_by_modality")
