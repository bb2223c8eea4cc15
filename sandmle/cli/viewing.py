"""view, serve-report: runs as a page to read, and a server for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandmle.cli.faults import stop
from sandmle.cli.terminal import progress


def view(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", exists=True, help="Folders of runs, or files of rollouts."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the page; by default view/ in the run's folder."),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> None:
    """Write a page on which to read what policies did: runs, tasks, rollouts turn by turn."""
    from sandmle.viewer.runs import find_runs
    from sandmle.viewer.write import PAGE, write_view

    folder = out or _beside(runs)
    with progress() as bars:
        bar = bars.add_task("reading rollouts", total=None)
        count = write_view(find_runs(runs), folder, progress=lambda: bars.advance(bar))
    page = folder / PAGE
    typer.echo(f"{page}: {count} rollout{'s' * (count != 1)}")
    if open_:
        _open(page.resolve().as_uri())


def _beside(runs: list[Path]) -> Path:
    """Where the page of one run goes by default."""
    if len(runs) > 1:
        stop("the page of several runs has no folder of its own: give --out DIR")
    (run,) = runs
    return run / "view" if run.is_dir() else run.with_name(f"{run.stem}-view")


def serve_report(
    report: Annotated[
        Path,
        typer.Argument(
            metavar="PAGE",
            exists=True,
            help="A folder that `view` wrote, or a page that `report` wrote.",
        ),
    ],
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes one that is free.")] = 8080,
    open_: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> None:
    """Show a page to browsers on this machine alone, where they may not read it from the disk."""
    from sandmle.viewer.serve import Pages, make_server

    try:
        server = make_server(Pages.of(report), port)
    except ValueError as error:
        stop(str(error))
    with server:
        address = f"http://127.0.0.1:{server.server_port}/"
        typer.echo(f"{address} shows {report}; Ctrl-C ends it")
        if open_:
            _open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("", err=True)


def _open(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        typer.echo("there is no browser to open it in", err=True)
