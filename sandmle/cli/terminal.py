"""What a command shows while it works and when it is done."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
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
def progress() -> Iterator[Progress]:
    """Progress bars on stderr that vanish when done; silent when stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bars:
        yield bars
