"""What a training came to in words, the same on the page and in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sandmle.curves.gain import Gain, HeldOut
from sandmle.curves.runs import TrainingRun

#: The numbers of held-out tasks by their titles; rewards are in [0, 1], all others are shares.
_TITLES = {
    "any_medal": "Any medal",
    "reward": "Reward",
    "valid": "Valid submissions",
    "format": "Turns in the format",
}


@dataclass(frozen=True)
class Told:
    """One number of the held-out tasks before and after, `difference` with its interval.

    `after` is empty where there was one evaluation only; `difference` is where there is none.
    """

    title: str
    before: str
    after: str
    difference: str
    gain: Gain


def facts(run: TrainingRun) -> Iterator[str]:
    """What was trained on what, and how far it came, in a few words each."""
    model, reward = run.setting("model", "path"), run.setting("episode", "reward")
    if isinstance(model, str):
        yield f"model {model}"
    yield f"step {run.steps:,}" + (f" of {run.planned:,}" if run.planned else "")
    groups, rollouts = run.setting("optimisation", "tasks"), run.setting("optimisation", "rollouts")
    if groups and rollouts:
        yield f"{groups} × {rollouts} rollouts a step"
    tasks = run.configuration.get("tasks")
    if isinstance(tasks, dict):
        train, validation = (_count(tasks.get(split)) for split in ("train", "validation"))
        yield f"{train} training tasks, {validation} held out"
    if isinstance(reward, str):
        yield f"reward {reward}"
    if run.seconds:
        yield duration(run.seconds)
    best = run.summary.get("best")
    if isinstance(best, str):
        yield f"best {best}"


def duration(seconds: float) -> str:
    """A time in its two largest units."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def told(held: HeldOut) -> Iterator[Told]:
    """The numbers of the held-out tasks, of those that were measured."""
    for name, title in _TITLES.items():
        gain, unit = held.gains[name], "" if name == "reward" else "%"
        if gain.before is not None or gain.after is not None:
            yield Told(
                title=title,
                before="–" if gain.before is None else _value(gain.before, unit),
                after="" if gain.after is None else _value(gain.after, unit),
                difference=_difference(gain, unit),
                gain=gain,
            )


def evaluated(held: HeldOut) -> str:
    """What the numbers of held-out tasks stand on."""
    after = "" if held.last_step is None else f", then after step {held.last_step:,}"
    before = "before the first step" if held.first_step == 0 else f"after step {held.first_step:,}"
    of = [
        f"{count:,} {noun}{'s' * (count != 1)}"
        for count, noun in ((held.rollouts, "rollout"), (held.tasks, "task"))
        if count is not None
    ]
    return f"Held-out tasks, {before}{after}" + (f": {' of '.join(of)} each time" if of else "")


def _value(value: float, unit: str) -> str:
    return f"{value:.2f}" if unit == "" else f"{100 * value:.0f}%"


def _difference(gain: Gain, unit: str) -> str:
    if gain.difference is None:
        return ""
    words = f"{_signed(gain.difference, unit)}{' points' if unit else ''}"
    if gain.difference_interval is not None:
        low, high = (_signed(end, unit) for end in gain.difference_interval)
        words += f", 95% interval {low} to {high}"
    return words


def _signed(value: float, unit: str) -> str:
    text = f"{100 * value:+.0f}" if unit else f"{value:+.2f}"
    return text if float(text) else text[1:]


def _count(tasks: object) -> int:
    return len(tasks) if isinstance(tasks, dict) else 0
