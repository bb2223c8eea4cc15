"""profile, coverage: real competitions become seeds, and each has tasks that keep it."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandmle.cli.corpus import CorpusOption, corpus_folder
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.models import (
    MODELS,
    AnswerTokensOption,
    BaseUrlOption,
    BudgetOption,
    PriceOption,
    RoundsOption,
    connected,
)

if TYPE_CHECKING:
    from sandmle.asking.connection import Connection
    from sandmle.seeds.description import Told


class Trust(StrEnum):
    """Whose word wins."""

    data = "data"
    description = "description"


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
    describe: Annotated[
        str | None,
        typer.Option(
            metavar="BACK_END",
            help="`openai:MODEL` reads description.md for what the data can't tell.",
            rich_help_panel=MODELS,
            show_default=False,
        ),
    ] = None,
    trust: Annotated[
        Trust,
        typer.Option(
            help="Whose word wins where description and data disagree.", rich_help_panel=MODELS
        ),
    ] = Trust.data,
    base_url: BaseUrlOption = None,
    budget: BudgetOption = None,
    price: PriceOption = None,
    rounds: RoundsOption = 3,
    answer_tokens: AnswerTokensOption = 8_000,
    corpus: CorpusOption = None,
) -> None:
    """Read the structural DNA of a real competition: no name, text or value of it survives."""
    from sandmle.seeds.description import Told, merge
    from sandmle.seeds.load import dump_seed
    from sandmle.seeds.profile import profile_competition
    from sandmle.vocabulary import load_vocabulary

    root, told = corpus_folder(corpus), Told()
    if describe is not None:
        with connected(
            root, base_url=base_url, budget=budget, prices=price, answer_tokens=answer_tokens
        ) as connection:
            told = _described(folder, describe, connection, rounds, root)
    seed = profile_competition(folder, name=output.stem, targets=told.targets)
    if describe is not None:
        seed, conflicts = merge(seed, told, vocabulary=load_vocabulary(root), trust=trust.value)
        for conflict in conflicts:
            typer.echo(f"{folder}: {conflict}", err=True)
    dump_seed(seed, output)
    columns, files = len(seed.columns), len(seed.files)
    typer.echo(
        f"{output}: {seed.modality}, {seed.task}, {seed.metric.name}; "
        f"{columns} column{'s' * (columns != 1)}, {files} kind{'s' * (files != 1)} of files"
    )


def _described(
    folder: Path, back_end: str, connection: Connection, rounds: int, corpus: Path
) -> Told:
    """What a model says of a competition's description."""
    from sandmle.asking.connection import model_of
    from sandmle.roles.prompted.describing import read_description
    from sandmle.seeds.competition import read_outline
    from sandmle.vocabulary import load_vocabulary

    try:
        model = connection.model(model_of(back_end))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return read_description(
        read_outline(folder),
        model,
        vocabulary=load_vocabulary(corpus),
        rounds=rounds,
        corpus=corpus,
    )


def coverage(
    output: Annotated[
        Path, typer.Option("--output", "-o", dir_okay=False, help="The page to write.")
    ] = Path("docs/coverage.md"),
    check: Annotated[
        bool, typer.Option("--check", help="Exit 1 where a competition has no task.")
    ] = False,
    corpus: CorpusOption = None,
) -> None:
    """Say which competitions of the benchmarks among the seeds have a task that keeps them."""
    from sandmle.build.index import INDEX_FILE
    from sandmle.report.coverage import cover, coverage_text
    from sandmle.seeds.load import load_seed
    from sandmle.spec.load import load_spec
    from sandmle.vocabulary import load_vocabulary
    from sandmle.writing import write_whole

    root = corpus_folder(corpus)
    index = root / "build" / INDEX_FILE
    if not index.is_file():
        stop(f"{index}: not there; run `sandmle build` first")
    verdicts = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    vocabulary = load_vocabulary(root)
    rows = cover(
        (load_seed(path, vocabulary) for path in sorted((root / "specs/seeds").glob("*.yaml"))),
        (load_spec(path, corpus=root) for path in sorted((root / "specs/tasks").glob("*.yaml"))),
        accepted={verdict["id"] for verdict in verdicts if verdict["accepted"]},
        vocabulary=vocabulary,
    )
    output.parent.mkdir(parents=True, exist_ok=True)
    write_whole(output, coverage_text(rows))
    without = [row.seed.name for row in rows if not row.tasks]
    typer.echo(f"{output}: {len(rows) - len(without)} of {len(rows)} competitions have a task")
    if without and check:
        stop(f"without a task: {', '.join(without)}", code=FINDINGS)
