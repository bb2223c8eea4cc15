"""A training in the terminal: what it gained, the curve of its reward, where its time went."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.text import Text

from sandmle.curves.gain import held_out
from sandmle.curves.measures import REWARD
from sandmle.curves.plots import Axis, Point, smoothed, step_axis, value_axis
from sandmle.curves.runs import (
    PARTS,
    TrainingRun,
    mean_seconds,
    read_training_runs,
)
from sandmle.curves.words import evaluated, facts, told

#: Lines of the curve, and characters of what stands left of it.
_HEIGHT, _LEFT = 7, 7

#: A character of the curve has 2 by 4 dots: U+2800 and a bit for each, by column, from the top
#: down. Source: The Unicode Standard 17.0, Braille Patterns.
_BLANK, _BITS = 0x2800, ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))

_CURVE, _HELD_OUT, _QUIET = "blue", "bold dark_orange3", "bright_black"
_COLOURS = dict(
    zip(PARTS, ("blue", "cyan", "dark_orange3", "magenta", "bright_black"), strict=True)
)


def training_plot(run: Path, *, width: int = 80) -> Text:
    """The training in a folder; curve and prose take lines of at most `width` characters.

    Raises FileNotFoundError where there is none, ValueError naming a broken file.
    """
    (found,) = read_training_runs([run])
    return plot(found, width=width)


def plot(run: TrainingRun, *, width: int = 80) -> Text:
    """The same of a run that was read already."""
    text = Text(f"{run.name}\n", "bold")
    text.append(f"{textwrap.fill(' · '.join(facts(run)), width)}\n", _QUIET)
    text.append_text(_gains(run, width))
    text.append_text(_curve(run, width))
    text.append_text(_seconds(run, width))
    text.right_crop(1)
    return text


def training_data(run: TrainingRun) -> dict[str, Any]:
    """The same as JSON data."""
    held = held_out(run)
    return {
        "run": str(run.folder),
        "step": run.steps,
        "planned": run.planned,
        "held_out": None if held is None else asdict(held),
        "reward": {"training": REWARD.trained(run), "held_out": REWARD.held_out(run)},
        "seconds": mean_seconds(run.train),
    }


def _gains(run: TrainingRun, width: int) -> Text:
    """A line for each number of the held-out tasks."""
    held = held_out(run)
    if held is None:
        return Text("not evaluated yet\n", _QUIET)
    text = Text(f"{textwrap.fill(evaluated(held), width)}\n", _QUIET)
    for one in told(held):
        text.append(f"  {one.title:<20}")
        text.append(f"{one.before:>5}")
        if one.after:
            text.append(" → ", _QUIET)
            text.append(f"{one.after:<5}", "bold")
        if one.difference:
            text.append(f"  {one.difference}", _QUIET)
        text.append("\n")
    return text


def _curve(run: TrainingRun, width: int) -> Text:
    """The smoothed reward of the training as a curve, and the held-out tasks' as dots."""
    points, held = smoothed(REWARD.trained(run)), REWARD.held_out(run)
    if not points and not held:
        return Text()
    across = step_axis(step for step, _ in (*points, *held))
    up = value_axis((value for _, value in (*points, *held)), "", most=1.0)
    columns = max(8, width - _LEFT - 2)
    cells = _braille(points, across, up, columns)
    marks = {_cell(step, value, across, up, columns) for step, value in held}
    text = Text()
    for row in range(_HEIGHT):
        label = {0: f"{up.high:.3g}", _HEIGHT - 1: f"{up.low:.3g}"}.get(row)
        text.append(f"{label or '':>{_LEFT}} {'│' if label is None else '┤'}", _QUIET)
        for column in range(columns):
            if (column, row) in marks:
                text.append("●", _HELD_OUT)
            else:
                text.append(cells[row][column], _CURVE)
        text.rstrip()
        text.append("\n")
    first, last = f"step {across.low:,.0f}", f"{across.high:,.0f}"
    text.append(f"{'':{_LEFT + 2}}{first}{last:>{columns - len(first)}}\n", _QUIET)
    text.append(f"{'':{_LEFT + 2}}reward: ", _QUIET)
    text.append("⣀⠤⠒ ", _CURVE)
    text.append("training, smoothed  ", _QUIET)
    text.append("● ", _HELD_OUT)
    text.append("held out\n", _QUIET)
    return text


def _braille(points: Sequence[Point], across: Axis, up: Axis, columns: int) -> list[list[str]]:
    """A line through points in braille characters: _HEIGHT rows of `columns`."""
    bits = [[0] * columns for _ in range(_HEIGHT)]
    dots = [_dot(step, value, across, up, columns) for step, value in points]
    for (x, y), (next_x, next_y) in zip(dots, [*dots[1:], *dots[-1:]], strict=True):
        length = max(abs(next_x - x), abs(next_y - y), 1)
        for place in range(length + 1):
            column = round(x + (next_x - x) * place / length)
            row = round(y + (next_y - y) * place / length)
            bits[row // 4][column // 2] |= _BITS[column % 2][row % 4]
    return [[chr(_BLANK + cell) if cell else " " for cell in row] for row in bits]


def _dot(step: float, value: float, across: Axis, up: Axis, columns: int) -> tuple[int, int]:
    """The dot, from the left and from above, at which a value lies."""
    right = (step - across.low) / (across.high - across.low)
    down = 1 - (value - up.low) / (up.high - up.low)
    return round(right * (2 * columns - 1)), round(min(1.0, max(0.0, down)) * (4 * _HEIGHT - 1))


def _cell(step: float, value: float, across: Axis, up: Axis, columns: int) -> tuple[int, int]:
    x, y = _dot(step, value, across, up, columns)
    return x // 2, y // 4


def _seconds(run: TrainingRun, width: int) -> Text:
    """What a step took, as a bar of its parts and in numbers."""
    mean = mean_seconds(run.train)
    parts: Mapping[str, float] = {name: mean[name] for name in PARTS if mean.get(name)}
    if not parts:
        return Text()
    text = Text("  seconds of a step")
    text.append(f", {mean['step']:.2f} in real time\n  " if "step" in mean else "\n  ")
    total = math.fsum(parts.values())
    columns = max(8, width - 4)
    for name, seconds in parts.items():
        text.append("█" * max(1, math.floor(columns * seconds / total)), _COLOURS[name])
    text.append("\n  ")
    for place, (name, seconds) in enumerate(parts.items()):
        text.append("  " if place else "")
        text.append("■ ", _COLOURS[name])
        text.append(f"{name} {seconds:.2f}")
    text.append("\n  sandbox and score are summed over episodes side by side\n", _QUIET)
    return text
