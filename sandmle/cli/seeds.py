"""profile, draft: a real competition becomes a seed, a seed becomes specs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandmle.cli.corpus import CorpusOption, corpus_folder
from sandmle.cli.faults import FINDINGS, stop


def profile(
    folder: Annotated[
        Path,
        typer.Argument(
            exists=True,
            file_okay=False,
            help="A prepared competition: train.csv, test.csv, sample_submission.csv, ...",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The seed to write, such as specs/seeds/x.yaml."),
    ],
) -> None:
    """Read the structural DNA of a real competition: no name, text or value of it survives."""
    from sandmle.seeds.load import dump_seed
    from sandmle.seeds.profile import profile_competition

    seed = profile_competition(folder, name=output.stem)
    dump_seed(seed, output)
    columns, files = len(seed.columns), len(seed.files)
    typer.echo(
        f"{output}: {seed.modality}, {seed.task}, {seed.metric.name}; "
        f"{columns} column{'s' * (columns != 1)}, {files} kind{'s' * (files != 1)} of files"
    )


def draft(
    seed: Annotated[
        Path, typer.Option("--seed", exists=True, dir_okay=False, help="The seed to draft from.")
    ],
    count: Annotated[int, typer.Option("-n", min=1, help="How many specs to draft.")] = 1,
    random_seed: Annotated[
        int, typer.Option("--random-seed", "-S", min=0, help="Other numbers give other drafts.")
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", file_okay=False, help="Folder; by default specs/tasks."),
    ] = None,
    corpus: CorpusOption = None,
) -> None:
    """Draft specs in new domains that keep the DNA of a seed; the same numbers, the same specs."""
    from sandmle.roles.draft import write_drafts
    from sandmle.roles.role import DraftError

    root = corpus_folder(corpus)
    folder = output or root / "specs" / "tasks"
    try:
        paths = write_drafts(seed, count=count, random_seed=random_seed, folder=folder, corpus=root)
    except DraftError as error:
        stop(str(error), code=FINDINGS)
    for path in paths:
        typer.echo(path)
