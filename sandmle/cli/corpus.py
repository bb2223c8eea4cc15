"""The corpus that a command works on, and the specs and tasks named on its command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sandmle.cli.faults import stop
from sandmle.resources import find_corpus

CorpusOption = Annotated[
    Path | None,
    typer.Option(
        "--corpus",
        "-C",
        exists=True,
        file_okay=False,
        help="The corpus folder; by default the nearest one upwards that holds specs/.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]


def corpus_folder(given: Path | None) -> Path:
    """The corpus that was given, or the one around the current folder."""
    return given.resolve() if given is not None else find_corpus(Path.cwd())


def spec_files(given: Sequence[Path] | None, corpus: Path) -> list[Path]:
    """The spec files that were named, folders spread out; by default all of the corpus.

    Ends the command where there is nothing to work on.
    """
    named = list(given) if given else [corpus / "specs" / "tasks"]
    found: list[Path] = []
    for path in named:
        found += [path] if path.is_file() else sorted(path.glob("*.yaml"))
    if not found:
        stop(f"{named[0]}: no spec here; `sandmle init DIR` makes a corpus with an example")
    return found


def task_folder(task: str, corpus: Path) -> Path:
    """The built folder of a task named by its id. Ends the command where it is not built."""
    folder = corpus / "build" / "tasks" / task
    if not (folder / "verdict.json").is_file():
        import difflib

        built = [path.parent.name for path in (corpus / "build" / "tasks").glob("*/verdict.json")]
        close = difflib.get_close_matches(task, built, 1)
        hint = f"did you mean {close[0]!r}?" if close else "run `sandmle build` first"
        stop(f"{task}: no such task in {corpus / 'build' / 'tasks'}; {hint}")
    return folder
