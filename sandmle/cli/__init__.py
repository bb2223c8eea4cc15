"""The commands. Heavy imports stay inside them, so that `sandmle --help` answers at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import typer

from sandmle import __version__
from sandmle.cli import (
    auditing,
    curves,
    drafting,
    evaluating,
    machine,
    measuring,
    playing,
    replaying,
    reviewing,
    seeds,
    specs,
    survey,
    tasks,
    training,
    training_data,
    viewing,
)
from sandmle.cli.faults import Commands

app = typer.Typer(
    cls=Commands,
    name="sandmle",
    help="Compile YAML specs into micro machine-learning tasks; play and reward agents on them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_PANELS: Mapping[str, Sequence[Callable[..., None]]] = {
    "Write specs": (
        specs.init,
        specs.check,
        specs.schema,
        reviewing.diff,
        reviewing.lint,
        reviewing.format_,
        seeds.profile,
        drafting.draft,
        seeds.coverage,
    ),
    "Make tasks": (
        tasks.compile_,
        tasks.calibrate,
        tasks.build,
        auditing.audit,
        survey.corpus,
        tasks.show,
    ),
    "Play them": (
        tasks.score,
        playing.play,
        evaluating.eval_,
        evaluating.summary,
        evaluating.compare,
        replaying.replay,
        viewing.view,
        viewing.serve_report,
        playing.report,
        playing.demo,
        training_data.sft_data,
    ),
    "Learn from them": (training.train, curves.curves),
    "Look at the machine": (machine.doctor,),
}
for panel, commands in _PANELS.items():
    for command in commands:
        name = command.__name__.rstrip("_").replace("_", "-")
        app.command(name, rich_help_panel=panel)(command)
app.add_typer(measuring.bench, name="bench", rich_help_panel="Look at the machine")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sandmle {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """The entry point of the command line."""
    app()
