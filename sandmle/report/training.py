"""One self-contained HTML page for trainings: what was gained, every curve, what was set.

Several runs lie over each other in the same figures. The page can be written at any time of a run,
and is drawn from what metrics.jsonl holds by then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sandmle import __version__
from sandmle.evaluation.summary import Interval
from sandmle.report.training_figures import (
    LENGTHS,
    LOST,
    OPTIMISER,
    RATES,
    Figure,
    ends_figures,
    legend,
    measured,
    modalities,
    reward_figure,
    seconds_figures,
)
from sandmle.report.training_gain import HeldOut, held_out
from sandmle.report.training_runs import TrainingRun, mean_seconds, read_training_runs
from sandmle.report.training_tasks import SHADES, task_tables
from sandmle.report.training_words import evaluated, facts, told
from sandmle.resources import resource
from sandmle.writing import write_whole

#: The page in the folder of a run.
TRAINING_PAGE = "training.html"

#: Entries of a list that are told of a setting.
_LISTED = 6


@dataclass(frozen=True)
class Section:
    """Some figures under a heading; `key` are the colours of stacked ones, with their names."""

    title: str
    note: str
    figures: tuple[Figure, ...]
    style: str = "small"
    key: tuple[tuple[str, str], ...] = ()


def write_training_page(runs: Sequence[Path], page: Path) -> None:
    """Writes the page for the folders of runs to `page`, whole or not at all.

    Raises FileNotFoundError where a folder holds no training run, ValueError naming a broken file
    and OSError where the page cannot be written.
    """
    text = training_page(read_training_runs(runs), page.resolve().parent)
    page.parent.mkdir(parents=True, exist_ok=True)
    write_whole(page, text)


def training_page(runs: Sequence[TrainingRun], folder: Path) -> str:
    """The page as text; its links are relative to the `folder` that it is going to lie in."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource("templates")), undefined=StrictUndefined, autoescape=True
    )
    return environment.get_template("report/training.html.j2").render(
        title=", ".join(run.name for run in runs),
        runs=[_run(place, run, folder) for place, run in enumerate(runs)],
        sections=[section for section in _sections(runs) if section.figures],
        tables=[table for run in runs for table in task_tables(run)],
        shades=SHADES,
        settings=_settings(runs),
        version=__version__,
    )


def _run(place: int, run: TrainingRun, folder: Path) -> dict[str, Any]:
    """What is told of a run by itself."""
    held = held_out(run)
    return {
        "name": run.name,
        "colour": f"run-{place % 6}",
        "facts": list(facts(run)),
        "is_empty": not run.lines,
        "gain": None if held is None else _gain(held),
        "links": list(_links(run, folder)),
    }


def _gain(held: HeldOut) -> dict[str, Any]:
    """The numbers of the held-out tasks, with places in percent for what lies on an axis."""
    return {
        "note": evaluated(held),
        "tiles": [
            {
                "title": one.title,
                "before": one.before,
                "after": one.after,
                "told": one.difference,
                "marks": [
                    _mark("before", one.gain.before, one.gain.before_interval),
                    _mark("after", one.gain.after, one.gain.after_interval),
                ],
            }
            for one in told(held)
        ],
    }


def _mark(style: str, value: float | None, interval: Interval | None) -> dict[str, Any]:
    return {
        "style": style,
        "value": None if value is None else round(100 * value, 2),
        "interval": interval and [round(100 * end, 2) for end in interval],
    }


def _sections(runs: Sequence[TrainingRun]) -> Iterator[Section]:
    smooth = "Thin lines are single steps, bold ones means over the steps around them, dots and "
    yield Section(
        "Reward",
        f"The mean of a step's rollouts. {smooth}dashes the held-out tasks"
        + (
            "; the band is a standard deviation of the rollouts to both sides."
            if len(runs) == 1
            else "."
        ),
        reward_figure(runs),
        style="large",
    )
    yield Section(
        "Medals, valid submissions, format",
        "Shares of the rollouts that could be scored.",
        measured(runs, RATES),
    )
    yield Section(
        "Reward by modality",
        "Means of a step's rollouts of each.",
        measured(runs, modalities(runs)),
    )
    ends = ends_figures(runs)
    yield Section(
        "How episodes ended",
        "Shares of a step's rollouts.",
        ends,
        style="stack",
        key=tuple(legend(ends)),
    )
    yield Section("Lengths", "Means of a step's rollouts.", measured(runs, LENGTHS))
    yield Section(
        "What is not learned from",
        "Groups whose rewards are all the same have no gradient; masked rollouts have no reward.",
        measured(runs, LOST),
    )
    yield Section("The update", "As TRL logs it.", measured(runs, OPTIMISER))
    times = seconds_figures(runs)
    yield Section(
        "Seconds of a step",
        _seconds_note(runs),
        times,
        style="stack",
        key=tuple(legend(times)),
    )


def _seconds_note(runs: Sequence[TrainingRun]) -> str:
    words = (
        "Generate and update are real time. Sandbox (code that runs) and score are summed over "
        "episodes that go on side by side, so the stack rises above the line, the real time of a "
        "step, where that saved time; other is what they leave of the step."
    )
    if len(runs) != 1:
        return words
    mean = mean_seconds(runs[0].train)
    parts = [f"{name} {seconds:.2f}" for name, seconds in mean.items() if name != "step"]
    step = f"{mean['step']:.2f} s a step: " if "step" in mean else ""
    return f"{words} On average {step}{', '.join(parts)}." if parts else words


def _links(run: TrainingRun, folder: Path) -> Iterator[dict[str, str]]:
    """The pages that `sandmle view` wrote of the run's rollouts."""
    for page in sorted(run.folder.glob("**/view/index.html")):
        text = page.parent.parent.relative_to(run.folder).as_posix()
        yield {
            "href": quote(Path(os.path.relpath(page, folder)).as_posix()),
            "text": "all rollouts" if text == "." else text,
        }


def _settings(runs: Sequence[TrainingRun]) -> list[dict[str, Any]]:
    """The rows of the table of settings, those in which the runs differ first."""
    flat = [dict(_flat(run.configuration)) for run in runs]
    names = list(dict.fromkeys(name for own in flat for name in own))
    rows = []
    for name in names:
        values = [own.get(name, "") for own in flat]
        rows.append({"name": name, "values": values, "differs": len(set(values)) > 1})
    return sorted(rows, key=lambda row: not row["differs"])


def _flat(data: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Settings by their dotted paths, as people write them; digests of tasks are counted only."""
    if where == "tasks" and isinstance(data, dict):
        for split, tasks in data.items():
            yield f"tasks.{split}", str(len(tasks)) if isinstance(tasks, dict) else "?"
    elif isinstance(data, Mapping) and data:
        for name, value in data.items():
            inner = f"{where}.{name}" if where and where != "training" else str(name)
            yield from _flat(value, inner)
    else:
        yield where, _written(data)


def _written(value: Any) -> str:
    if isinstance(value, list):
        told = ", ".join(_written(entry) for entry in value[:_LISTED])
        return f"{len(value)}: {told}, …" if len(value) > _LISTED else told or "none"
    if value is None or value == {}:
        return "none"
    return value if isinstance(value, str) else json.dumps(value)
