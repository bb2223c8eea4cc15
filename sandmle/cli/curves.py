"""curves: how a training went, in the terminal and on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandmle.cli.corpus import JsonOption
from sandmle.cli.faults import stop
from sandmle.cli.terminal import output, print_json


def curves(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", exists=True, file_okay=False, help="Folders of trainings."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The page; by default training.html in the run's folder."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how trainings went: what was gained, their curves, where the time went."""
    from sandmle.curves.page import write_page
    from sandmle.curves.runs import TRAINING_PAGE, read_training_runs
    from sandmle.curves.terminal import plot, training_data

    if out is None and len(runs) > 1:
        stop("the page of several trainings has no folder of its own: give --out FILE")
    page = out or runs[0] / TRAINING_PAGE
    try:
        found = read_training_runs(runs)
        write_page(found, page)
    except ValueError as error:  # a broken file
        stop(str(error))
    if as_json:
        print_json({"page": str(page), "runs": [training_data(run) for run in found]})
        return
    console = output()
    for run in found:
        console.print(plot(run, width=min(console.width, 100)))
        console.print()
    console.print(f"{page}", highlight=False, soft_wrap=True)
