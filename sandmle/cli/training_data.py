"""sft-data: rollouts that won medals, as data for supervised fine-tuning."""

from __future__ import annotations

import dataclasses
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.runs import rollouts_file
from sandmle.cli.terminal import print_json, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandmle.sft.data import Source, Summary
    from sandmle.sft.tokens import Count


class Won(StrEnum):
    """The least medal."""

    bronze = "bronze"
    silver = "silver"
    gold = "gold"


class Split(StrEnum):
    """The part of the corpus that tasks must be of."""

    train = "train"
    validation = "validation"
    all = "all"


def sft_data(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders of runs, or files of rollouts."),
    ],
    min_medal: Annotated[
        Won, typer.Option(help="The least medal of the submission that counts.")
    ] = Won.silver,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "--out",
            "-o",
            dir_okay=False,
            help="A name that ends in .parquet or .jsonl; by default sft.parquet beside the first "
            "run's rollouts.",
            show_default=False,
        ),
    ] = None,
    per_task: Annotated[
        int | None,
        typer.Option(min=1, help="Rollouts of a task at most, the best.", show_default="all"),
    ] = None,
    max_tokens: Annotated[
        int, typer.Option(min=1, help="The longest conversation, in tokens.")
    ] = 40_960,
    tokenizer: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|DIR",
            help="Whose tokens they are, as transformers loads it; by default an estimate.",
            show_default=False,
        ),
    ] = None,
    split: Annotated[
        Split,
        typer.Option(help="Tasks of this split alone; to train on others spoils the evaluation."),
    ] = Split.train,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Take rollouts of a sandbox that does not isolate.")
    ] = False,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write rollouts that won medals as chats to fine-tune on, each code on a task once."""
    from sandmle.sft.data import write_examples
    from sandmle.sft.files import check_format
    from sandmle.sft.selection import Wanted
    from sandmle.sft.tokens import estimate

    out = out or rollouts_file(runs[0]).with_name("sft.parquet")
    try:
        check_format(out)
        count = _count(tokenizer) if tokenizer else estimate
        sources = _sources(runs, corpus, split)
    except (ValueError, ModuleNotFoundError) as error:
        stop(str(error))
    if out.resolve() in {source.path.resolve() for source in sources}:
        stop(f"{out}: these are the rollouts; give another --out")
    wanted = Wanted(
        medal=min_medal.value,
        split=split.value,
        per_task=per_task,
        tokens=max_tokens,
        unsafe=unsafe,
    )
    with progress() as bars:
        bar = bars.add_task("reading", total=None)
        summary = write_examples(
            sources,
            out,
            wanted,
            count=count,
            progress=lambda: bars.advance(bar),
        )
    if as_json:
        file = str(out) if summary.taken else None
        print_json({"file": file, **dataclasses.asdict(summary)})
    else:
        _tell(summary, out)
    if not summary.taken:
        raise typer.Exit(FINDINGS)


def _sources(runs: Sequence[Path], corpus: Path | None, split: Split) -> list[Source]:
    """The files of rollouts of runs; a run's folder tells of splits itself, else the corpus does.

    Raises ValueError where the corpus's tasks cannot be read.
    """
    from sandmle.evaluation.files import CONFIG_FILE
    from sandmle.evaluation.run import read_config
    from sandmle.play.task import load_tasks
    from sandmle.sft.data import Source
    from sandmle.sft.splits import told_by_corpus, told_by_run

    lone = [run for run in runs if not (run / CONFIG_FILE).is_file()]
    needed = bool(lone) and split is not Split.all
    by_corpus = told_by_corpus(load_tasks(corpus_folder(corpus)) if needed else ())
    return [
        Source(rollouts_file(run), by_corpus if run in lone else told_by_run(read_config(run)))
        for run in runs
    ]


def _count(tokenizer: str) -> Count:
    """The tokenizer's count. Ends the command where transformers is missing."""
    from sandmle.sft.tokens import counted_by

    try:
        return counted_by(tokenizer)
    except ModuleNotFoundError as error:
        stop(f"--tokenizer needs {error.name}: pip install {error.name}; or leave it out")


def _tell(summary: Summary, out: Path) -> None:
    if summary.taken:
        typer.echo(
            f"{out}: {summary.taken:,} of {summary.read:,} rollouts, {summary.tasks:,} tasks, "
            f"{summary.tokens:,} tokens"
        )
    else:
        typer.echo(f"nothing written: none of {summary.read:,} rollouts is wanted", err=True)
    if summary.left_out:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in summary.left_out.items())
        typer.echo(f"left out: {reasons}", err=True)
