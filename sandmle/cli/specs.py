"""init, check, schema: a corpus folder, and specs that are right."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder, spec_files
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.terminal import print_json, tell_findings
from sandmle.resources import resource
from sandmle.vocabulary import load_vocabulary


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")],
    with_examples: Annotated[
        bool, typer.Option("--with-examples", help="Copy the whole shipped corpus and its seeds.")
    ] = False,
) -> None:
    """Make a corpus folder in which `sandmle build` works at once."""
    from sandmle.cli.new_corpus import EXAMPLE, corpus_files, write_corpus

    shipped = resource("specs")
    specs = [shipped / "tasks" / f"{EXAMPLE}.yaml"]
    if with_examples:
        specs = [*shipped.glob("tasks/*.yaml"), *shipped.glob("seeds/*.yaml")]
    files = corpus_files(folder.resolve().name, specs)
    taken = [name for name in files if (folder / name).exists()]
    if taken:
        stop(f"{folder / taken[0]} is already there; choose a folder that is empty or new")
    write_corpus(folder, files)
    count = sum(name.startswith("specs/tasks/") for name in files)
    typer.echo(f"{folder}: a corpus with {count} spec{'s' * (count != 1)}. Next:\n")
    typer.echo(f"    cd {folder} && sandmle build")


def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(exists=True, metavar="SPEC", help="Spec files or folders of them."),
    ] = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check specs: every problem as file:line:column. Exits 1 where there is one."""
    from sandmle.spec.load import check_file

    files = spec_files(paths, corpus_folder(corpus))
    problems = [problem for file in files for problem in check_file(file, corpus=corpus)]
    if as_json:
        print_json([dataclasses.asdict(problem) for problem in problems])
    else:
        tell_findings(problems, files=len(files), noun="problem", none="all right")
    if problems:
        raise typer.Exit(FINDINGS)


def schema(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it here; by default, print it.")
    ] = None,
    corpus: CorpusOption = None,
) -> None:
    """Write the JSON Schema of specs, by which an editor completes and checks them."""
    from sandmle.spec.schema import schema_text, write_schema

    vocabulary = load_vocabulary(corpus_folder(corpus))
    if output is None:
        typer.echo(schema_text(vocabulary), nl=False)
    else:
        write_schema(output, vocabulary)
