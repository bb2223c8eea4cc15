"""draft: seeds become specs that keep them, one seed at a time or a whole corpus."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.models import (
    MODELS,
    AnswerTokensOption,
    BaseUrlOption,
    BudgetOption,
    ConcurrencyOption,
    FallBack,
    FallBackOption,
    PerMinuteOption,
    PriceOption,
    RoundsOption,
    connected,
)
from sandmle.cli.terminal import print_json, progress
from sandmle.paper import PAPER_TRAIN, PAPER_VALIDATION

if TYPE_CHECKING:
    from sandmle.roles.corpus import Summary
    from sandmle.roles.repair import Judge
    from sandmle.roles.role import Role


class Mix(StrEnum):
    """What the seeds' shares of a corpus follow."""

    paper = "paper"
    even = "even"


def draft(
    seed: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="The seed to draft from.")
    ] = None,
    seeds: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="A folder of seeds to draft from."),
    ] = None,
    count: Annotated[int, typer.Option("-n", min=1, help="How many specs to draft.")] = 1,
    mix: Annotated[
        Mix, typer.Option(help="Shares of seeds: the paper's modalities and tasks, or alike.")
    ] = Mix.paper,
    validation: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.5,
            help="With --seeds: the share of specs for validation, of seeds and rules of its own.",
            show_default="64 of 912",
        ),
    ] = PAPER_VALIDATION / (PAPER_TRAIN + PAPER_VALIDATION),
    random_seed: Annotated[
        int, typer.Option("--random-seed", "-S", min=0, help="Other numbers give other drafts.")
    ] = 0,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output", "--out", "-o", file_okay=False, help="Folder; by default specs/tasks."
        ),
    ] = None,
    repair: Annotated[
        bool, typer.Option(help="Calibrate drafts, and repair those that are no good.")
    ] = True,
    cores: Annotated[
        int | None, typer.Option(min=1, help="With --seeds: processes; by default all cores.")
    ] = None,
    every_role: Annotated[
        str | None,
        typer.Option(
            "--roles",
            metavar="BACK_END",
            help="Who writes: `procedural` (rules and chance), or `openai:MODEL`.",
            rich_help_panel=MODELS,
            show_default="procedural",
        ),
    ] = None,
    one_role: Annotated[
        list[str] | None,
        typer.Option(
            "--role",
            metavar="ROLE=BACK_END",
            help="The same for one of operations, strategist, developer, writer; may be repeated.",
            rich_help_panel=MODELS,
            show_default=False,
        ),
    ] = None,
    base_url: BaseUrlOption = None,
    budget: BudgetOption = None,
    price: PriceOption = None,
    rounds: RoundsOption = 3,
    fall_back: FallBackOption = FallBack.procedural,
    concurrency: ConcurrencyOption = 4,
    per_minute: PerMinuteOption = None,
    answer_tokens: AnswerTokensOption = 8_000,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draft specs in new domains that keep the DNA of seeds; the same numbers, the same specs.

    With --seeds, a folder that holds drafts of the same numbers already is continued up to -n.
    """
    if (seed is None) == (seeds is None):
        raise typer.BadParameter("give one of --seed FILE and --seeds DIR")
    root = corpus_folder(corpus)
    folder = folder or root / "specs" / "tasks"
    judge = _judge(root) if repair else None
    choices = [*([every_role] if every_role else []), *(one_role or [])]

    def write(way: _Way) -> None:
        if seed is not None:
            told = _draft_seed(seed, count, random_seed, folder, root, way, quiet=as_json)
        else:
            assert seeds is not None
            told = _draft_corpus(
                seeds,
                count=count,
                mix=mix,
                validation=validation,
                random_seed=random_seed,
                folder=folder,
                corpus=root,
                way=way,
                told=", ".join([*sorted(choices), *([] if repair else ["not repaired"])]),
                quiet=as_json,
            )
        if as_json:
            print_json(told)

    from sandmle.roles.back_ends import asks_models, roles_of

    with connected(
        root,
        base_url=base_url,
        budget=budget,
        prices=price,
        concurrency=concurrency,
        per_minute=per_minute,
        answer_tokens=answer_tokens,
    ) as connection:
        try:
            roles = roles_of(
                choices,
                connection=connection,
                rounds=rounds,
                fall_back=fall_back.value,
                judge=judge,
                corpus=root,
            )
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
        if asks_models(roles):
            # The judge's faults go to the models that can mend them, not to procedural repairs.
            _drafting(write, _Way(None, roles=roles, cores=concurrency, threads=True))
        else:
            _drafting(write, _Way(judge, cores=cores or os.cpu_count() or 1))


@dataclass(frozen=True)
class _Way:
    """How drafts come about: who writes and judges, and how many at a time."""

    judge: Judge | None
    roles: tuple[Role, ...] | None = None
    cores: int = 1
    threads: bool = False


def _drafting(write: Callable[[_Way], None], way: _Way) -> None:
    """Writes drafts; ends the command where none can be made."""
    from sandmle.roles.role import DraftError

    try:
        write(way)
    except DraftError as error:
        stop(str(error), code=FINDINGS)


def _judge(corpus: Path) -> Judge:
    from sandmle.build.judge import faults

    return functools.partial(faults, corpus=corpus)


def _draft_seed(
    seed: Path,
    count: int,
    random_seed: int,
    folder: Path,
    corpus: Path,
    way: _Way,
    *,
    quiet: bool,
) -> dict[str, Any]:
    """Drafts from one seed and prints each spec's path."""
    from sandmle.roles.draft_files import write_drafts
    from sandmle.roles.drawing import GivenUp

    given_up: list[GivenUp] = []

    def tell(one: Path | GivenUp) -> None:
        if isinstance(one, GivenUp):
            given_up.append(one)
            reason = f"{one.data['because']}: {one.data['margin']}"
            typer.echo(f"given up: {one.data['id']}: {reason}", err=True)
        elif not quiet:
            typer.echo(one)

    paths = write_drafts(
        seed,
        count=count,
        random_seed=random_seed,
        folder=folder,
        corpus=corpus,
        judge=way.judge,
        roles=way.roles,
        cores=way.cores if way.threads else 1,
        threads=way.threads,
        told=tell,
    )
    return {
        "specs": [str(path) for path in paths],
        "given_up": [dict(one.data) for one in given_up],
    }


def _draft_corpus(
    seeds: Path,
    *,
    count: int,
    mix: Mix,
    validation: float,
    random_seed: int,
    folder: Path,
    corpus: Path,
    way: _Way,
    told: str,
    quiet: bool,
) -> dict[str, Any]:
    """Drafts from all seeds of a folder, in the way that is told, and prints what came of it."""
    from sandmle.roles.corpus import draft_corpus, read_plan
    from sandmle.vocabulary import load_vocabulary

    plan = read_plan(
        seeds,
        mix=mix.value,
        random_seed=random_seed,
        validation=validation,
        way=told,
        vocabulary=load_vocabulary(corpus),
    )
    if not plan.seeds:
        stop(f"{seeds}: no seed here; `sandmle profile` makes one of a competition")
    with progress() as bars:
        bar = bars.add_task("drafting", total=count)
        summary = draft_corpus(
            plan,
            count=count,
            folder=folder,
            corpus=corpus,
            judge=way.judge,
            roles=way.roles,
            cores=min(way.cores, count),
            threads=way.threads,
            progress=lambda done: bars.update(bar, completed=done),
        )
    if not quiet:
        _print(summary, folder)
    return dict(vars(summary))


def _print(summary: Summary, folder: Path) -> None:
    before = f", {summary.found} of them before" if summary.found else ""
    typer.echo(f"{folder}: {summary.count} specs{before}; {summary.repaired} repaired")
    if len(summary.splits) > 1:
        typer.echo("  " + ", ".join(f"{count} {name}" for name, count in summary.splits.items()))
    for reason, count in summary.given_up.most_common():
        typer.echo(f"  {count} given up: {reason}")
    if summary.exhausted:
        typer.echo(f"  seeds that have run out: {', '.join(summary.exhausted)}")
