"""One self-contained HTML page for trainings: what was gained, every curve, what was set.

Several runs lie over each other in the same figures. The page can be written at any time of a run,
and is drawn from what metrics.jsonl holds by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandmle import __version__
from sandmle.curves.figures import (
    Figure,
    colour_of,
    legend,
    measured,
    reward_figure,
)
from sandmle.curves.gain import HeldOut, held_out
from sandmle.curves.measures import LENGTHS, LOST, RATES, UPDATE, modalities
from sandmle.curves.runs import TrainingRun, link, mean_seconds, read_training_runs
from sandmle.curves.settings import settings
from sandmle.curves.stacks import ends_figures, seconds_figures, stack_legend
from sandmle.curves.tasks import SHADES, task_tables
from sandmle.curves.words import evaluated, facts, told
from sandmle.evaluation.summary import Interval
from sandmle.resources import resource
from sandmle.writing import write_whole


@dataclass(frozen=True)
class Section:
    """Some figures under a heading; `key` are their colours, with what each stands for."""

    title: str
    note: str
    figures: tuple[Figure, ...]
    key: tuple[tuple[str, str], ...]
    style: str = "small"


def write_training_page(runs: Sequence[Path], page: Path) -> None:
    """Writes the page for the folders of runs to `page`, whole or not at all.

    Raises FileNotFoundError where a folder holds no training run, ValueError naming a broken file
    and OSError where the page cannot be written.
    """
    write_page(read_training_runs(runs), page)


def write_page(runs: Sequence[TrainingRun], page: Path) -> None:
    """The same for runs that are read already. Raises OSError."""
    text = training_page(runs, page.resolve().parent)
    page.parent.mkdir(parents=True, exist_ok=True)
    write_whole(page, text.encode("utf-8", "replace"))  # JSON may hold halves of surrogate pairs


def training_page(runs: Sequence[TrainingRun], folder: Path) -> str:
    """The page as text; its links are relative to the `folder` that it is going to lie in."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource("templates")), undefined=StrictUndefined, autoescape=True
    )
    return environment.get_template("curves/page.html.j2").render(
        title=", ".join(run.name for run in runs),
        runs=[_run(place, run, folder) for place, run in enumerate(runs)],
        sections=[section for section in _sections(runs) if section.figures],
        tables=[table for run in runs for table in task_tables(run)],
        shades=SHADES,
        settings=settings(runs),
        version=__version__,
    )


def _run(place: int, run: TrainingRun, folder: Path) -> dict[str, Any]:
    """What is told of a run by itself."""
    held = held_out(run)
    return {
        "name": run.name,
        "colour": colour_of(place),
        "facts": list(facts(run)),
        "is_empty": not run.lines,
        "gain": None if held is None else _gain(held),
        "links": list(_links(run, folder)),
        "unread": _unread(run),
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
    is_alone = len(runs) == 1
    key, of_training = legend(runs), () if is_alone else legend(runs)
    band = "; the band is a standard deviation of the rollouts to both sides" if is_alone else ""
    yield Section(
        "Reward",
        "Means over rollouts. Thin lines are single steps, bold ones means over the steps around "
        f"them; dots and dashes are the held-out tasks{band}.",
        reward_figure(runs),
        key,
        "large",
    )
    yield Section(
        "Medals, valid submissions, format",
        "Shares of the rollouts that could be scored.",
        measured(runs, RATES),
        key,
    )
    yield Section(
        "Reward by modality",
        "Means over the rollouts of each.",
        measured(runs, modalities(runs)),
        key,
    )
    ends = ends_figures(runs)
    yield Section(
        "How episodes ended", "Shares of a step's rollouts.", ends, stack_legend(ends), "stack"
    )
    yield Section("Lengths", "Means over rollouts.", measured(runs, LENGTHS), key)
    yield Section(
        "What is not learned from",
        "A dead group has no gradient, a masked rollout has no reward.",
        measured(runs, LOST),
        of_training,
    )
    yield Section("The update", "As TRL logs it.", measured(runs, UPDATE), of_training)
    times = seconds_figures(runs)
    yield Section("Seconds of a step", _seconds_note(runs), times, stack_legend(times), "stack")


def _seconds_note(runs: Sequence[TrainingRun]) -> str:
    words = (
        "Generate and update are real time. Sandbox (code that runs) and score are summed over "
        "episodes that go on side by side, so the stack rises above the line, the real time of a "
        "step, where that saved time; other is what they leave of the step."
    )
    if len(runs) != 1:
        return words
    mean = mean_seconds(runs[0].train)
    parts = [
        f"{name} {seconds:.2f}" for name, seconds in mean.items() if name != "step" and seconds
    ]
    step = f"{mean['step']:.2f} s a step: " if "step" in mean else ""
    return f"{words} On average {step}{', '.join(parts)}." if parts else words


def _links(run: TrainingRun, folder: Path) -> Iterator[dict[str, str]]:
    """The pages that `sandmle view` wrote of the run's rollouts."""
    for page in sorted(run.folder.glob("**/view/index.html")):
        text = page.parent.parent.relative_to(run.folder).as_posix()
        yield {
            "href": link(page, folder),
            "text": "all rollouts" if text == "." else text,
        }


def _unread(run: TrainingRun) -> str:
    """The folder of the last held-out rollouts, empty where a page of them is there already."""
    played = sorted(run.folder.glob("validation/step-*/rollouts.jsonl"))
    if not played or (played[-1].parent / "view").exists():
        return ""
    return f"{run.folder.name}/{played[-1].parent.relative_to(run.folder).as_posix()}"
