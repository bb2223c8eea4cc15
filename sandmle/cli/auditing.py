"""audit: whether tasks leak, can be cheated, or pay for chance."""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder, task_folder
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.terminal import counting, output, print_json, progress

if TYPE_CHECKING:
    from rich.console import Console

    from sandmle.build.verdict import Audit, Player


def audit(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID", help="Ids of built tasks; by default all.", show_default=False
        ),
    ] = None,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep",
            help="Build what is out of date, then the expensive audits, too: malformed "
            "submissions, reruns of honest work, a panel of solvers. What is found is kept.",
        ),
    ] = False,
    cores: Annotated[
        int | None, typer.Option(min=1, help="Tasks at a time; by default all cores.")
    ] = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look for leaks, exploits and chance in built tasks. Exits 1 where something is found."""
    root = corpus_folder(corpus)
    specs = _specs(tasks, root)
    found = _examined(tasks, specs, root, cores) if deep else _audited(specs, root, cores)
    reasons = {name: entry.reasons for name, entry in found.items()}
    if as_json:
        print_json({name: entry.as_json() for name, entry in found.items()})
    elif len(found) == 1:
        _print_one(next(iter(found.values())), output())
    else:
        for name, problems in reasons.items():
            for problem in problems:
                typer.echo(f"{name}: {problem}")
        _print_all(list(found.values()), output())
    if any(reasons.values()):
        raise typer.Exit(FINDINGS)


@dataclasses.dataclass(frozen=True)
class _Found:
    """What is told of one task; without `--deep` there are audits alone."""

    audits: tuple[Audit, ...]
    reasons: tuple[str, ...]
    flip_rates: Mapping[str, float] = dataclasses.field(default_factory=dict)
    panel: tuple[Player, ...] = ()

    def as_json(self) -> dict[str, object]:
        """What --json prints of it."""
        told: dict[str, object] = {
            "audits": [dataclasses.asdict(entry) for entry in self.audits],
            "reasons": self.reasons,
        }
        if self.flip_rates:
            told["flip_rate"] = self.flip_rates
            told["panel"] = [dataclasses.asdict(player) for player in self.panel]
        return told


def _specs(tasks: Sequence[str] | None, root: Path) -> list[Path]:
    """The specs of the tasks named, or of all that are built."""
    from sandmle.build.plan import corpus_specs

    if tasks:
        return [root / "specs" / "tasks" / f"{task_folder(task, root).name}.yaml" for task in tasks]
    built = [
        path
        for path in corpus_specs(root)
        if (root / "build" / "tasks" / path.stem / "verdict.json").is_file()
    ]
    if not built:
        stop(f"{root / 'build'}: no task here; run `sandmle build` first")
    return built


def _audited(specs: Sequence[Path], root: Path, cores: int | None) -> dict[str, _Found]:
    """The cheap audits on tasks as they are built."""
    from sandmle.processes import workers

    folders = [root / "build" / "tasks" / path.stem for path in specs]
    with (
        progress() as bars,
        workers(min(cores or os.cpu_count() or 1, len(specs))) as executor,
    ):
        results = executor.map(_audits_of, specs, folders, itertools.repeat(root))
        tracked = bars.track(results, description="auditing", total=len(specs))
        return {path.stem: found for path, found in zip(specs, tracked, strict=True)}


def _audits_of(spec: Path, folder: Path, corpus: Path) -> _Found:
    """The cheap audits on one task."""
    from sandmle.build.examine import audit_task
    from sandmle.build.verdict import audit_problem

    try:
        audits = audit_task(spec, folder, corpus=corpus)
    except ValueError as error:
        return _Found((), (str(error),))
    return _Found(audits, tuple(audit_problem(entry) for entry in audits if not entry.passed))


def _examined(
    tasks: Sequence[str] | None, specs: Sequence[Path], root: Path, cores: int | None
) -> dict[str, _Found]:
    """Everything, kept from earlier where nothing has changed."""
    from sandmle.build.run import examine_corpus

    with counting("examining") as count:
        examined = examine_corpus(
            specs if tasks else None, corpus=root, cores=cores, progress=count
        )
    return {
        verdict.id: _Found(verdict.audits, verdict.reasons, verdict.flip_rates, examination.panel)
        for verdict, examination in examined
    }


def _print_one(found: _Found, console: Console) -> None:
    """All that was found of one task."""
    from sandmle.report.show import audit_table, panel_table

    console.print(audit_table(found.audits))
    for name, rate in found.flip_rates.items():
        console.print(f"medal flips, {name}: {rate:.0%}", highlight=False)
    if found.panel:
        console.print(panel_table(found.panel))
    for reason in found.reasons:
        console.print(f"✗ {reason}", style="red", markup=False, highlight=False)


def _print_all(found: Sequence[_Found], console: Console) -> None:
    """How many tasks pass each audit, and how often medals flip."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("audit")
    for name in ("cost", "tasks", "passed"):
        table.add_column(name, justify="right")
    counts: dict[tuple[str, str], list[bool]] = {}
    for entry in found:
        for check in entry.audits:
            counts.setdefault((check.claim, check.cost), []).append(check.passed)
    for (claim, cost), passed in counts.items():
        table.add_row(claim, cost, str(len(passed)), str(sum(passed)))
    console.print(table, highlight=False)
    rates: dict[str, list[float]] = {}
    for entry in found:
        for name, rate in entry.flip_rates.items():
            rates.setdefault(name, []).append(rate)
    for name, values in rates.items():
        console.print(f"medal flips, {name}: median {median(values):.0%}", highlight=False)
    failed = sum(bool(entry.reasons) for entry in found)
    console.print(f"{len(found) - failed} of {len(found)} tasks are fit", highlight=False)
