"""train: a policy learns on the corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder
from sandmle.cli.faults import stop
from sandmle.cli.terminal import print_json

if TYPE_CHECKING:
    from sandmle.train.plan import Plan


def train(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A training file, or a shipped one's name: tiny.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The run's folder; by default runs/NAME-OF-THE-FILE."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on after the last whole checkpoint.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything and show the plan; train nothing.")
    ] = False,
    processes: Annotated[
        int, typer.Option(min=1, help="For --dry-run: how many processes are going to train.")
    ] = 1,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train a policy by GRPO on rollouts in the sandbox, or by SFT on recorded ones."""
    from sandmle.train.configuration import load_training, training_file
    from sandmle.train.supervised import is_supervised

    path = training_file(file)
    if is_supervised(path):
        folder = out or corpus_folder(corpus) / "runs" / file.stem
        _supervise(path, folder, resume, dry_run, processes, as_json)
        return
    training = load_training(path)
    root = corpus_folder(corpus)
    folder = out or root / "runs" / file.stem
    if dry_run:
        from sandmle.train.plan import make_plan

        _show_plan(make_plan(training, corpus=root, out=folder, processes=processes), as_json)
        return
    from sandmle.train.run import train as run

    try:
        summary = run(
            training, corpus=root, out=folder, resume=resume, progress=_follow(folder, as_json)
        )
    except (ModuleNotFoundError, ValueError) as error:
        stop(str(error))
    if not summary:  # only one of several processes has one
        return
    _write_page(folder)
    if as_json:
        print_json(summary)
    else:
        _tell_summary(summary, folder)


def _show_plan(plan: Plan, as_json: bool) -> None:
    """Shows a plan. Raises typer.Exit where something is missing."""
    from sandmle.train.plan import plan_lines

    if as_json:
        print_json(plan.data)
    else:
        typer.echo("\n".join(plan_lines(plan)))
    if plan.faults:
        raise typer.Exit(2)


def _supervise(
    path: Path, folder: Path, resume: bool, dry_run: bool, processes: int, as_json: bool
) -> None:
    """Trains by SFT, or shows its plan."""
    from sandmle.train.supervised import load_supervised

    training = load_supervised(path)
    if dry_run:
        from sandmle.train.supervised_plan import supervised_plan

        _show_plan(supervised_plan(training, out=folder, processes=processes), as_json)
        return
    from sandmle.train.supervised_run import supervise

    def tell(line: Mapping[str, Any]) -> None:
        shown = (f"{name} {_number(line[name])}" for name in ("loss", "token_accuracy"))
        text = "  ".join([f"{line['split']:10} {line['step']:5}", *shown])
        typer.echo(text, err=as_json)

    try:
        summary = supervise(training, out=folder, resume=resume, progress=tell)
    except (ModuleNotFoundError, OSError, ValueError) as error:
        stop(str(error))
    if not summary:  # only one of several processes has one
        return
    if as_json:
        print_json(summary)
    else:
        typer.echo(f"model: {folder / summary['model']}")


def _follow(folder: Path, as_json: bool) -> Callable[[Mapping[str, Any]], None]:
    """Shows each line of metrics as it comes, and writes the page anew after every evaluation.

    Lines go to stderr where stdout is to hold JSON.
    """

    def tell(line: Mapping[str, Any]) -> None:
        seconds = line["seconds"]
        shown = [
            f"{line['split']:10} {line['step']:5}",
            *(f"{name} {_number(line[name])}" for name in ("reward", "any_medal", "format")),
            f"dead {line['dead_groups']}/{line['groups']}",
            f"{seconds.get('step', seconds['rollouts']):.1f} s",
        ]
        typer.echo("  ".join(shown), err=as_json)
        if line["split"] == "validation":
            _write_page(folder)

    return tell


def _write_page(folder: Path) -> None:
    """Writes the page of a run, without which a training goes on all the same."""
    from sandmle.curves.page import write_training_page
    from sandmle.curves.runs import TRAINING_PAGE

    try:
        write_training_page([folder], folder / TRAINING_PAGE)
    except (OSError, ValueError) as error:
        typer.echo(f"the page of the training is not written: {error}", err=True)


def _number(value: float | None) -> str:
    return "  -  " if value is None else f"{value:5.3f}"


def _tell_summary(summary: Mapping[str, Any], folder: Path) -> None:
    from sandmle.curves.runs import TRAINING_PAGE

    for name in ("before", "after"):
        found = summary[name]
        rates = ", ".join(
            f"{key} {_number(found[key])}" for key in ("reward", "any_medal", "valid")
        )
        typer.echo(f"{name:6} (step {found['step']}): {rates}")
    typer.echo(f"best: {folder / summary['best'] if summary['best'] else 'none'}")
    typer.echo(f"page: {folder / TRAINING_PAGE}")
