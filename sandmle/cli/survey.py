"""corpus: what became of the specs of a corpus, and what the tasks are like."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder
from sandmle.cli.faults import stop
from sandmle.cli.terminal import output, print_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from sandmle.report.corpus import CorpusReport, Share

#: Entries of a mix, and near-duplicates, that are shown; all of them are in the JSON.
_SHOWN = 12


def corpus(corpus: CorpusOption = None, as_json: JsonOption = False) -> None:
    """Say how many specs became tasks, why others did not, what the mix is, and what repeats."""
    from sandmle.report.corpus import report_corpus

    root = corpus_folder(corpus)
    try:
        report = report_corpus(root)
    except ValueError as error:  # a broken verdict
        stop(str(error))
    if not report.drafted:
        stop(f"{root / 'specs' / 'tasks'}: no spec here; `sandmle init DIR` makes a corpus")
    if as_json:
        print_json(_json(report))
    else:
        _print(report, output())


def _json(report: CorpusReport) -> dict[str, object]:
    mix = {
        name: {
            value: {key: item for key, item in vars(share).items() if item is not None}
            for value, share in shares.items()
        }
        for name, shares in report.mix.items()
    }
    return {**dataclasses.asdict(report), "mix": mix}


def _print(report: CorpusReport, console: Console) -> None:
    _print_funnel(report, console)
    of = "accepted tasks" if report.accepted else "valid specs"
    console.print(f"\nMix, shares of the {of}:")
    for name, shares in report.mix.items():
        _print_mix(name, shares, console)
    _print_reliability(report, console)
    console.print(f"\nNear-duplicates: {len(report.near_duplicates) or 'none'}")
    for pair in report.near_duplicates[:_SHOWN]:
        console.print(f"  {pair.one}  {pair.other}  {pair.distance:.2f} apart", highlight=False)
    _print_rest(len(report.near_duplicates), console)


def _print_reliability(report: CorpusReport, console: Console) -> None:
    told = [
        f"{name.replace('_', ' ')} {'not measured' if rate is None else f'{rate:.0%}'}"
        for name, rate in report.flip_rate.items()
    ]
    console.print(f"\nMedals that flip, medians: {', '.join(told)}", highlight=False)
    console.print(f"Dead tasks: {', '.join(report.dead) or 'none'}", highlight=False)


def _print_funnel(report: CorpusReport, console: Console) -> None:
    from rich.table import Table

    from sandmle.paper import PAPER_STAGES
    from sandmle.report.corpus import STAGES

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("")
    for stage in STAGES:
        table.add_column(stage, justify="right")
    table.add_column("yield", justify="right")
    for name, counts in (
        ("here", [getattr(report, stage) for stage in STAGES]),
        ("paper", PAPER_STAGES),
    ):
        table.add_row(name, *map(str, counts), f"{counts[-1] / counts[0]:.0%}")
    console.print(table)
    for stage, reasons in report.reasons.items():
        if reasons:
            console.print(f"\nNot {stage}:")
        for reason, count in reasons.items():
            console.print(f"  {count:>4}  {reason}", markup=False, highlight=False)


def _print_mix(name: str, shares: Mapping[str, Share], console: Console) -> None:
    from rich.table import Table

    from sandmle.paper import PAPER_NAMES

    against_paper = any(share.paper is not None for share in shares.values())
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(name, min_width=30)
    for head in ("valid", "accepted", "share"):
        table.add_column(head, justify="right")
    if against_paper:
        table.add_column("paper", justify="right")
        table.add_column("points", justify="right")
        table.add_column("its name")
    for value, share in list(shares.items())[: None if against_paper else _SHOWN]:
        parts = [part for part in share.parts or () if part != value]
        told = f"{value}, {', '.join(parts)}" if parts else value
        row = [told, str(share.valid), str(share.accepted), f"{share.share:.1f}%"]
        if share.paper is not None:
            row += [f"{share.paper}%", f"{share.points:+.1f}", PAPER_NAMES.get(value, value)]
        table.add_row(*row)
    console.print()
    console.print(table, highlight=False)
    if not against_paper:
        _print_rest(len(shares), console)


def _print_rest(count: int, console: Console) -> None:
    if count > _SHOWN:
        console.print(f"  and {count - _SHOWN} more, see --json", style="bright_black")
