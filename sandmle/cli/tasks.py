"""compile, calibrate, build, show: from a spec to a validated task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SpecArgument = Annotated[
    Path, typer.Argument(metavar="SPEC", exists=True, dir_okay=False, help="A spec file.")
]


def compile_(
    spec: SpecArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", file_okay=False, help="Folder for the three files.")
    ],
) -> None:
    """Compile a spec to generate.py, evaluate.py and description.md: scripts that run alone."""
    from sandmle.compiler.compile import compile_spec, write_compiled
    from sandmle.resources import find_corpus
    from sandmle.spec.load import load_spec

    write_compiled(compile_spec(load_spec(spec), corpus=find_corpus(spec)), output)
    typer.echo(f"{output}: generate.py, evaluate.py, description.md")
