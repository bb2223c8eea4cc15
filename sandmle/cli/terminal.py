"""What a command shows while it works and when it is done."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

#: Characters of a line where the output is no terminal.
_WIDTH = 120


def output() -> Console:
    """The console of stdout, wide enough for tables where it is no terminal."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _WIDTH)


def print_json(data: Any) -> None:
    """One JSON document on stdout; not finite numbers are a bug and raise ValueError."""
    typer.echo(json.dumps(data, indent=2, allow_nan=False))


@contextmanager
def progress(*, hidden: bool = False) -> Iterator[Progress]:
    """Progress bars on stderr that vanish when done; silent when stderr is not a terminal.

    They are `hidden` where a person types on it.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=hidden or not sys.stderr.isatty(),
    ) as bars:
        yield bars


@contextmanager
def counting(description: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for work that tells how much of it is done, and of how much."""
    with progress() as bars:
        bar = bars.add_task(description, total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)


def tell_findings(findings: Sequence[object], *, files: int, noun: str, none: str) -> None:
    """A line a finding, then how many there are in how many specs; `none` where all is well."""
    for finding in findings:
        typer.echo(finding)
    count = f"{len(findings)} {noun}{'s' * (len(findings) != 1)}" if findings else none
    typer.echo(f"{files} spec{'s' * (files != 1)}: {count}", err=True)
