"""bench step, build, turns, training, difficulty, audits: costs, and what tasks and audits do."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder
from sandmle.cli.faults import stop
from sandmle.cli.terminal import counting, output, print_json

if TYPE_CHECKING:
    from sandmle.bench.audits import AuditBench
    from sandmle.bench.build import BuildBench
    from sandmle.bench.difficulty import Fall
    from sandmle.bench.step import StepBench
    from sandmle.bench.training import TrainingBench
    from sandmle.bench.turns import TurnsBench

bench = typer.Typer(
    help="Measure what steps and builds cost here, what difficulty does, and what audits catch.",
    no_args_is_help=True,
)


@bench.command()
def step(
    rounds: Annotated[
        int, typer.Option(min=1, help="How often everything is measured; medians are told.")
    ] = 5,
    as_json: JsonOption = False,
) -> None:
    """Measure steps: warm, cold, in bubblewrap and by AIDE's interpreter, taking turns."""
    from sandmle.bench.step import bench_step

    with counting("measuring steps") as count:
        found = bench_step(rounds=rounds, progress=count)
    if as_json:
        print_json(dataclasses.asdict(found))
    else:
        _print_steps(found)


@bench.command()
def build(
    tasks: Annotated[int, typer.Option(min=1, help="So many tasks are built.")] = 24,
    rounds: Annotated[int, typer.Option(min=1, help="How often; medians are told.")] = 1,
    cores: Annotated[int, typer.Option(min=1, help="Tasks at a time.")] = 2,
    as_json: JsonOption = False,
) -> None:
    """Measure builds: beside a plain process pool, and where there is nothing to do."""
    from sandmle.bench.build import bench_build

    with counting("measuring builds") as count:
        found = bench_build(
            tasks=tasks,
            rounds=rounds,
            cores=cores,
            progress=count,
        )
    if as_json:
        print_json(dataclasses.asdict(found))
    else:
        _print_builds(found)


@bench.command()
def turns(
    concurrency: Annotated[int, typer.Option(min=1, help="Episodes at a time.")] = 64,
    rollouts: Annotated[
        int, typer.Option(min=1, help="So many are played to look at the memory.")
    ] = 5000,
    as_json: JsonOption = False,
) -> None:
    """Measure what the harness itself takes of a turn, and its memory over many rollouts."""
    from sandmle.bench.turns import bench_turns

    with counting("playing") as count:
        found = bench_turns(concurrency=concurrency, rollouts=rollouts, progress=count)
    if as_json:
        print_json(dataclasses.asdict(found))
    else:
        _print_turns(found)


@bench.command()
def training(
    steps: Annotated[int, typer.Option(min=1, help="Steps of training; medians are told.")] = 3,
    tasks: Annotated[int, typer.Option(min=1, help="Tasks a step.")] = 4,
    rollouts: Annotated[int, typer.Option(min=2, help="Episodes of each task.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Measure what a step of the tiny training takes, part by part, and its scripts cold."""
    from sandmle.bench.training import bench_training

    with counting("measuring training") as count:
        try:
            found = bench_training(steps=steps, tasks=tasks, rollouts=rollouts, progress=count)
        except ModuleNotFoundError as error:
            stop(str(error))
    if as_json:
        print_json(dataclasses.asdict(found))
    else:
        _print_training(found)


@bench.command()
def difficulty(
    rules: Annotated[
        list[str] | None, typer.Argument(help="Hidden rules; by default all that are drafted.")
    ] = None,
    tasks: Annotated[int, typer.Option(min=1, help="So many tasks a rule and level.")] = 6,
    markdown: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write the table into this file, too.")
    ] = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure how far raw models get as the difficulty of drafts rises, rule by rule."""
    from sandmle.bench.difficulty import bench_difficulty, table
    from sandmle.vocabulary import load_vocabulary
    from sandmle.writing import write_whole

    root = corpus_folder(corpus)
    known = load_vocabulary(root).folder("hidden")
    for name in rules or ():
        if name not in known:
            stop(f"{name}: no such rule; there are {', '.join(sorted(known))}")
    with counting("measuring rules") as count:
        falls = bench_difficulty(
            rules or (),
            tasks=tasks,
            corpus=root,
            progress=count,
        )
    if markdown is not None:
        write_whole(markdown, table(falls))
    if as_json:
        print_json([dataclasses.asdict(fall) for fall in falls])
    else:
        _print_falls(falls)


@bench.command()
def audits(
    tasks: Annotated[
        int | None,
        typer.Option(min=0, help="So many tasks are looked at for false alarms; by default all."),
    ] = None,
    deep: Annotated[bool, typer.Option("--deep", help="Measure the deep audits, too.")] = False,
    cores: Annotated[int, typer.Option(min=1, help="Tasks at a time.")] = 2,
    markdown: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write the table into this file, too.")
    ] = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Plant faults in good tasks, and measure what the audits catch, miss and cost."""
    from sandmle.bench.audit_table import put_between, table
    from sandmle.bench.audits import bench_audits
    from sandmle.writing import write_whole

    with counting("auditing tasks") as count:
        found = bench_audits(
            tasks=tasks,
            deep=deep,
            cores=cores,
            corpus=corpus_folder(corpus),
            progress=count,
        )
    if markdown is not None:
        before = markdown.read_text(encoding="utf-8") if markdown.exists() else ""
        write_whole(markdown, put_between(before, table(found)))
    if as_json:
        print_json(dataclasses.asdict(found))
    else:
        _print_audits(found)


def _print_audits(found: AuditBench) -> None:
    from rich.table import Table

    from sandmle.bench.audit_table import COLUMNS, notes, summary

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == "audit" else "right")
    for row in summary(found):
        table.add_row(*row)
    console = output()
    console.print(table)
    for line in notes(found):
        console.print(line, highlight=False)
    console.print(
        f"\n{len(found.trials)} faults, {found.caught:.1%} caught; "
        f"{found.alarmed_tasks} of {found.tasks} good tasks raise an alarm, "
        f"{found.alarmed_changes} of {found.changes} after a harmless change",
        highlight=False,
    )


def _print_falls(falls: list[Fall]) -> None:
    from rich.table import Table

    from sandmle.bench.difficulty import LEVELS

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("rule")
    table.add_column("task")
    for name in ("tasks", *(f"{level:g}" for level in LEVELS), "steadiness"):
        table.add_column(name, justify="right")
    for fall in falls:
        shares = (f"{share:.2f}" for share in fall.shares)
        kind = f"{fall.modality} {fall.task}"
        table.add_row(fall.rule, kind, str(fall.tasks), *shares, f"{fall.correlation:.2f}")
    output().print(table)


def _print_steps(found: StepBench) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for name in ("step, ms", "warm", "cold", "bwrap + cold", "AIDE", "cold / warm"):
        table.add_column(name, justify="left" if name == "step, ms" else "right")
    for name, times in found.steps.items():
        cells = ["-" if value is None else f"{value:.0f}" for value in times.values()]
        table.add_row(name, *cells, _ratio(times["cold_ms"], times["warm_ms"]))
    console = output()
    console.print(table)
    console.print(
        f"\nempty step {found.empty_ms:.1f} ms, {found.empty_ms / found.fork_ms:.1f} bare forks of "
        f"{found.fork_ms:.1f} ms; two workers {found.empty_steps_per_s:.0f} empty steps/s",
        highlight=False,
    )
    _print_machine(found.machine)


def _ratio(slow: float | None, fast: float | None) -> str:
    return f"{slow / fast:.1f}" if slow and fast else "-"


def _print_builds(found: BuildBench) -> None:
    output().print(
        f"{found.tasks} tasks: process pool {found.pool_cpu_s:.1f} CPU s, sandmle build "
        f"{found.build_cpu_s:.1f} CPU s, {found.build_cpu_s / found.pool_cpu_s:.2f} times as much\n"
        f"1000 specs with nothing to do: {found.noop_1000_cpu_s:.1f} CPU s",
        highlight=False,
    )
    _print_machine(found.machine)


def _print_turns(found: TurnsBench) -> None:
    memory = ", ".join(f"{mib:.0f} MiB after {count}" for count, mib in found.memory_mib.items())
    output().print(
        f"{found.concurrency} episodes at a time, each turn with a graded submission:\n"
        f"the harness takes {found.busy_cpu_ms:.2f} ms of processor time a turn, and "
        f"{found.busy_ms:.2f} ms of wall time where it has nothing else to do\n"
        f"beside models that take a second, a turn takes {found.paced_ms:.1f} ms longer than model "
        f"and sandbox, {found.graded_ms:.1f} ms of it for grading\n"
        f"memory: {memory} rollouts",
        highlight=False,
    )
    _print_machine(found.machine)


def _print_training(found: TrainingBench) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("part of a step")
    for name in ("seconds", "share"):
        table.add_column(name, justify="right")
    names = ("generate", "sandbox", "score", "harness", "update")
    parts = {name: getattr(found, f"{name}_s") for name in names}
    for name, seconds in parts.items():
        table.add_row(name, f"{seconds:.2f}", f"{seconds / sum(parts.values()):.0%}")
    console = output()
    console.print(table)
    console.print(
        f"\na step of {found.episodes} episodes, {found.scripts:g} scripts and {found.grades:g} "
        f"graded submissions takes {found.step_s:.2f} s, {found.outside_s:.2f} s of it outside "
        f"generation and update: {found.outside_s / found.step_s:.0%}\n"
        f"the environment's work takes {found.warm_s:.2f} s warm and side by side "
        f"({found.warm_cpu_s:.1f} CPU s); cold and one by one {found.cold_scripts_s:.1f} s for "
        f"scripts and {found.cold_grades_s:.1f} s for grading ({found.cold_cpu_s:.1f} CPU s)\n"
        f"warm / cold: {found.warm_s / found.cold_s:.1%}, without grading "
        f"{(found.warm_s - found.score_s) / found.cold_scripts_s:.1%}",
        highlight=False,
        soft_wrap=True,
    )
    _print_machine(found.machine)


def _print_machine(machine: Mapping[str, Any]) -> None:
    lines = [
        f"{machine['cores']} cores of {machine['processor'] or machine['system']}, "
        f"load {machine['load'][0]}, Python {machine['python']}",
        *machine["notes"],
    ]
    for line in lines:
        output().print(line, style="bright_black", highlight=False, soft_wrap=True)
