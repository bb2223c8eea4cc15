"""compile, calibrate, build, show, score: from a spec to a validated task, and its medals."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandmle.cli.corpus import CorpusOption, JsonOption, corpus_folder, spec_files, task_folder
from sandmle.cli.faults import FINDINGS, stop
from sandmle.cli.terminal import counting, output, print_json, progress
from sandmle.resources import find_corpus

if TYPE_CHECKING:
    from sandmle.build.calibrate import Calibration
    from sandmle.spec.model import Spec

TaskArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a built task.")]


def compile_(
    spec: Annotated[
        Path, typer.Argument(metavar="SPEC", exists=True, dir_okay=False, help="A spec file.")
    ],
    folder: Annotated[
        Path, typer.Option("--output", "-o", file_okay=False, help="Folder for the three files.")
    ],
) -> None:
    """Compile a spec to generate.py, evaluate.py and description.md: scripts that run alone."""
    from sandmle.compiler.compile import compile_spec, write_compiled
    from sandmle.spec.load import load_spec

    write_compiled(compile_spec(load_spec(spec), corpus=find_corpus(spec)), folder)
    typer.echo(f"{folder}: generate.py, evaluate.py, description.md")


def calibrate(
    specs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SPEC", exists=True, help="Specs or folders of them; by default the corpus."
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the thresholds into the specs.")
    ] = False,
    cores: Annotated[
        int | None, typer.Option(min=1, help="Specs at a time; by default all cores.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compute medal thresholds from baselines. Exits 1 where a task is no good with them."""
    from sandmle.processes import workers
    from sandmle.spec.edit import write_thresholds
    from sandmle.spec.load import load_spec

    found: dict[str, tuple[Calibration | None, tuple[str, ...]]] = {}
    files = spec_files(specs, find_corpus(Path.cwd()))
    loaded = [load_spec(path) for path in files]
    with progress() as bars, workers(min(cores or os.cpu_count() or 1, len(files))) as executor:
        results = executor.map(_calibrated, loaded, map(find_corpus, files))
        for path, result in zip(
            files, bars.track(results, description="calibrating", total=len(files)), strict=True
        ):
            if isinstance(result, str):
                found[path.stem] = None, (result,)
                continue
            found[path.stem] = result, result.reasons
            if write:
                write_thresholds(path, result.thresholds)
    if as_json:
        print_json({name: _calibration_data(*entry) for name, entry in found.items()})
    else:
        for name, (calibration, reasons) in found.items():
            if calibration is not None:
                scores = dataclasses.asdict(calibration.thresholds).items()
                typer.echo(f"{name}: " + ", ".join(f"{line} {score}" for line, score in scores))
            for reason in reasons:
                typer.echo(f"{name}: rejected: {reason}")
    if any(reasons for _, reasons in found.values()):
        raise typer.Exit(FINDINGS)


def _calibrated(spec: Spec, corpus: Path) -> Calibration | str:
    """The calibration of a spec, or why there is none."""
    from sandmle.build.calibrate import calibrate as compute
    from sandmle.build.prepare import Rejected

    try:
        return compute(spec, corpus=corpus)
    except Rejected as error:
        return str(error)


def _calibration_data(result: Calibration | None, reasons: tuple[str, ...]) -> dict[str, object]:
    """What --json tells of one spec."""
    if result is None:
        return {"thresholds": None, "reasons": reasons}
    return {
        "thresholds": dataclasses.asdict(result.thresholds),
        "standard_error": result.ladder.standard_error,
        "flip_rate": result.flip_rate,
        "ladder": [dataclasses.asdict(rung) for rung in result.ladder.rungs],
        "margins": [dataclasses.asdict(margin) for margin in result.margins],
        "reasons": reasons,
    }


def build(
    specs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SPEC", exists=True, help="Specs or folders of them; by default the corpus."
        ),
    ] = None,
    cores: Annotated[
        int | None, typer.Option(min=1, help="Tasks at a time; by default all cores.")
    ] = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build what is out of date into validated tasks. Exits 1 where a task was rejected."""
    from sandmle.build.run import build_corpus

    root = corpus_folder(corpus) if corpus or not specs else find_corpus(specs[0])
    files = spec_files(specs, root)
    with counting("building") as count:
        try:
            verdicts = build_corpus(
                files if specs else None,
                corpus=root,
                cores=cores,
                progress=count,
            )
        except ValueError as error:  # two specs of one name
            stop(str(error))
    rejected = [verdict for verdict in verdicts if not verdict.accepted]
    if as_json:
        print_json([dataclasses.asdict(verdict) for verdict in verdicts])
    else:
        for verdict in rejected:
            for reason in verdict.reasons:
                typer.echo(f"{verdict.id}: rejected: {reason}")
        typer.echo(
            f"{root / 'build'}: {len(verdicts) - len(rejected)} tasks accepted, "
            f"{len(rejected)} rejected"
        )
    if rejected:
        raise typer.Exit(FINDINGS)


def show(task: TaskArgument, corpus: CorpusOption = None) -> None:
    """Lay a built task before the eyes: its DNA, ladder, medal lines, audits and samples."""
    from sandmle.report.overview import read_overview
    from sandmle.report.show import show as show_overview

    root = corpus_folder(corpus)
    try:
        overview = read_overview(task_folder(task, root), corpus=root)
    except ValueError as error:  # a broken verdict
        stop(str(error))
    show_overview(overview, output())


def score(
    task: TaskArgument,
    submission: Annotated[
        Path,
        typer.Argument(metavar="SUBMISSION", exists=True, dir_okay=False, help="A CSV file."),
    ],
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
) -> None:
    """Grade a submission, as the task's evaluate.py does. Exits 1 where it cannot be graded."""
    from sandmle.grading import load_grader

    grader = load_grader(task_folder(task, corpus_folder(corpus)))
    result = grader.evaluate(submission.read_bytes(), grader.answers)
    if as_json:
        print_json(dict(result))
    elif result["valid"]:
        above = "above the median" if result["above_median"] else "not above the median"
        typer.echo(f"{result['score']}: {result['medal'] or above}")
    else:
        stop(f"{submission}: {result['reason']}", code=FINDINGS)
    if not result["valid"]:
        raise typer.Exit(FINDINGS)
