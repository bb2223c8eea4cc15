"""diff, lint, format: specs reviewed in git, by what they mean."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder, spec_files
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.terminal import print_json, progress, tell_findings
from sandmle.resources import find_corpus
from sandmle.vocabulary import load_vocabulary

if TYPE_CHECKING:
    from sandmle.review.comparison import Comparison, Content
    from sandmle.review.report import Reviewed

SpecsArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        exists=True, metavar="SPEC", help="Spec files or folders of them; by default the corpus."
    ),
]


def diff(
    versions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[A [B]] [-- PATH...]",
            help="Two files or folders; or git revisions, one against the working tree, two, or "
            "A..B, for the paths that are named. By default HEAD against the working tree.",
            show_default=False,
        ),
    ] = None,
    effect: Annotated[
        bool,
        typer.Option(
            "--effect",
            help="Compile both sides and tell what the changes do: to labels, ladder, thresholds.",
        ),
    ] = False,
    cores: Annotated[
        int | None,
        typer.Option(min=1, help="With --effect, specs at a time; by default all cores."),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="A summary for a pull request.")
    ] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit 1 where something changed, as diff does.")
    ] = False,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what changed in specs by what it means, a line a change; comments and layout are none.

    git diff shows the same after: git config diff.sandmle.command "sandmle diff"
    """
    from sandmle.review import report

    if markdown and as_json:
        stop("--markdown and --json: choose one")
    comparisons, root = _comparisons(versions or [], corpus, effect)
    if effect:
        reviews = _reviews(comparisons, root, cores)
    else:
        reviews = [report.Reviewed(comparison) for comparison in comparisons]
    vocabulary = load_vocabulary(root)
    if as_json:
        print_json([report.as_data(review) for review in reviews])
    elif markdown:
        typer.echo(report.markdown(reviews, vocabulary), nl=False)
    else:
        for review in reviews:
            title, *lines = report.text_lines(review, vocabulary)
            typer.secho(title, bold=True)
            for line in lines:
                typer.echo(line)
    if exit_code and reviews:
        raise typer.Exit(FINDINGS)


def _comparisons(
    versions: list[str], corpus: Path | None, effect: bool
) -> tuple[list[Comparison], Path]:
    """The specs that changed, and the corpus whose words they are read with."""
    from sandmle.review.comparison import compare_all, contents
    from sandmle.review.external import asked_by_git

    asked = asked_by_git(versions)
    if asked is not None:
        root = corpus.resolve() if corpus else find_corpus(Path(asked.path))
        return _two_files(asked.before, asked.after, root), root
    if len(versions) != 2 or not all(Path(name).exists() for name in versions):
        return _in_git(versions, corpus, effect)
    old, new = map(Path, versions)
    if old.is_dir() != new.is_dir():
        stop(f"{old} and {new}: compare two files, or two folders")
    root = corpus.resolve() if corpus else find_corpus(new)
    if old.is_dir():
        return compare_all(contents(old), contents(new), load_vocabulary(root)), root
    return _two_files(contents(old)[0], contents(new)[0], root, any_name=True), root


def _two_files(
    before: Content | None, after: Content | None, root: Path, *, any_name: bool = False
) -> list[Comparison]:
    """Two versions of a spec; where they are none, their lines are printed."""
    from sandmle.review.comparison import compare, is_spec, read_side
    from sandmle.review.external import line_diff

    if not all(is_spec(side.raw) for side in (before, after) if side is not None):
        typer.echo(line_diff(before, after), nl=False)
        return []
    vocabulary = load_vocabulary(root)
    one, other = (
        None if side is None else read_side(side, vocabulary, any_name=any_name)
        for side in (before, after)
    )
    found = compare(one, other, vocabulary)
    return [found] if found.status != "same" else []


def _in_git(
    versions: list[str], corpus: Path | None, effect: bool
) -> tuple[list[Comparison], Path]:
    """The specs that changed between two versions of the repository around the current folder."""
    from sandmle.review.comparison import compare_all
    from sandmle.review.repository import (
        GitError,
        changed_specs,
        changed_words,
        split_arguments,
        toplevel,
    )

    here = Path.cwd()
    try:
        top = toplevel(here)
        revisions, paths = split_arguments(versions, here)
        before, after = changed_specs(revisions, paths, here)
        words = changed_words(revisions, here) if effect else []
    except GitError as error:
        stop(str(error))
    first = next((content.path for content in (*after, *before)), ".")
    root = corpus.resolve() if corpus else find_corpus(top / first)
    for name in words:
        note = f"{name} changed too; both sides are drawn with the words of the working tree"
        typer.echo(note, err=True)
    return compare_all(before, after, load_vocabulary(root)), root


def _reviews(comparisons: list[Comparison], root: Path, cores: int | None) -> list[Reviewed]:
    """The comparisons with their effects."""
    import os

    from sandmle.review.effect import effects
    from sandmle.review.report import Reviewed

    pairs = [
        (entry.before.spec if entry.before else None, entry.after.spec if entry.after else None)
        for entry in comparisons
    ]
    with progress() as bars:
        found = effects(pairs, corpus=root, cores=cores or os.cpu_count() or 1)
        tracked = bars.track(found, total=len(pairs), description="climbing the ladders")
        return [Reviewed(entry, effect) for entry, effect in zip(comparisons, tracked, strict=True)]


def format_(
    paths: SpecsArgument = None,
    only_check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 where a file would change.")
    ] = False,
    show_diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; print what would change.")
    ] = False,
    corpus: CorpusOption = None,
) -> None:
    """Lay specs out in one way: keys in order, comments kept, the meaning untouched.

    Exits 1 where a file is not valid YAML, and with --check where one would change.
    """
    from sandmle.errors import SpecError
    from sandmle.spec.edit import replace_text
    from sandmle.spec.format import format_text
    from sandmle.spec.yaml_source import display_path, read_source

    files = spec_files(paths, corpus_folder(corpus))
    changed = broken = 0
    for path in files:
        try:
            text = read_source(path).text
            vocabulary = load_vocabulary(corpus or find_corpus(path))
            formatted = format_text(text, file=display_path(path), vocabulary=vocabulary)
        except (SpecError, ValueError) as error:
            typer.echo(error, err=True)
            broken += 1
            continue
        if formatted == text:
            continue
        changed += 1
        if show_diff:
            typer.echo(_line_diff(text, formatted, display_path(path)), nl=False)
        elif only_check:
            typer.echo(f"{display_path(path)}: would be formatted")
        else:
            replace_text(path, formatted)
            typer.echo(f"{display_path(path)}: formatted")
    writes = not (only_check or show_diff)
    told = f"{changed} {'formatted' if writes else 'would be formatted'}"
    typer.echo(f"{len(files)} spec{'s' * (len(files) != 1)}: {told}", err=True)
    if broken or (only_check and changed):
        raise typer.Exit(FINDINGS)


def _line_diff(before: str, after: str, file: str) -> str:
    import difflib

    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{file}", f"b/{file}"
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def lint(
    paths: SpecsArgument = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look for what is right but poor style in specs, as file:line:column. Exits 1 on findings."""
    from sandmle.spec.lint import lint_file

    files = spec_files(paths, corpus_folder(corpus))
    findings = [
        finding
        for file in files
        for finding in lint_file(file, load_vocabulary(corpus or find_corpus(file)))
    ]
    if as_json:
        print_json(
            [{"code": found.code, **dataclasses.asdict(found.problem)} for found in findings]
        )
    else:
        tell_findings(findings, files=len(files), noun="finding", none="all clean")
    if findings:
        raise typer.Exit(FINDINGS)
