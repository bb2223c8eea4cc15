"""Builds a corpus by running Snakemake with the shipped Snakefile, as plain `snakemake` would."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from sandmle.build.examination import Examination, judged, load_examination, load_judged
from sandmle.build.index import INDEX_FILE
from sandmle.build.plan import corpus_specs, specs_by_id
from sandmle.build.verdict import VERDICT_FILE, Verdict, load_verdict
from sandmle.errors import BuildError
from sandmle.resources import resource
from sandmle.vocabulary import load_vocabulary

#: Called with the number of jobs that are done and of all jobs.
Progress = Callable[[int, int], None]

#: Lines of Snakemake's output that a failed build shows.
LINES_SHOWN = 40


def build_corpus(
    specs: Sequence[Path] | None,
    *,
    corpus: Path,
    cores: int | None = None,
    build: Path | None = None,
    progress: Progress | None = None,
) -> list[Verdict]:
    """Builds the tasks of some specs, of the whole corpus by default; only what is out of date.

    Returns their verdicts, sorted by id, and leaves the index up to date. `cores` defaults to all,
    `build` to corpus/build. Raises ValueError where two specs would build one task,
    VocabularyError where the corpus' rules/ are broken, and BuildError where a job crashed.
    """
    build = (build or corpus / "build").resolve()
    folders, code, lines = _run(None, specs, corpus.resolve(), build, cores, progress)
    missing = [name for name, folder in folders.items() if not (folder / VERDICT_FILE).is_file()]
    if missing or not (build / INDEX_FILE).is_file():
        raise BuildError(_report(lines, f"no verdict for {', '.join(missing) or 'the index'}"))
    verdicts = [load_judged(folder) for folder in folders.values()]
    if code and (specs is not None or all(verdict.accepted for verdict in verdicts)):
        raise BuildError(_report(lines, f"snakemake exited with {code}"))
    return verdicts


def examine_corpus(
    specs: Sequence[Path] | None,
    *,
    corpus: Path,
    cores: int | None = None,
    build: Path | None = None,
    progress: Progress | None = None,
) -> list[tuple[Verdict, Examination]]:
    """Builds tasks and examines those that have not been, or have changed since.

    Returns the verdicts with what was found, sorted by id, and leaves the index up to date.
    Arguments and errors are those of build_corpus.
    """
    build = (build or corpus / "build").resolve()
    folders, code, lines = _run("examined", specs, corpus.resolve(), build, cores, progress)
    found, missing = [], []
    for name, folder in folders.items():
        if (folder / VERDICT_FILE).is_file():
            verdict = load_verdict(folder)
            examination = load_examination(folder, verdict)
            if examination is not None:
                found.append((judged(verdict, examination), examination))
                continue
        missing.append(name)
    if missing or code:
        reason = f"no examination of {', '.join(missing)}" if missing else f"exit code {code}"
        raise BuildError(_report(lines, reason))
    return found


def _run(
    target: str | None,
    specs: Sequence[Path] | None,
    corpus: Path,
    build: Path,
    cores: int | None,
    progress: Progress | None,
) -> tuple[dict[str, Path], int, list[str]]:
    """Runs Snakemake for a target; the folders of the tasks by id, its exit code and its output."""
    chosen = specs_by_id(specs if specs is not None else corpus_specs(corpus))
    load_vocabulary(corpus)
    settings: dict[str, object] = {"build": _inside(build, corpus), "parent": os.getpid()}
    if specs is not None:
        settings["specs"] = [_inside(path.resolve(), corpus) for path in chosen.values()]
    with tempfile.NamedTemporaryFile("w", suffix=".json", prefix="sandmle-") as file:
        json.dump(settings, file)
        file.flush()
        targets = [target] if target else []
        code, lines = _snakemake(targets, file.name, corpus, cores, progress)
    return {name: build / "tasks" / name for name in sorted(chosen)}, code, lines


def snakemake_command(corpus: Path) -> list[str]:
    """The command that builds a corpus with the shipped Snakefile and its settings."""
    command = [sys.executable, "-P", "-m", "snakemake"]
    command += ["--snakefile", str(resource("Snakefile")), "--directory", str(corpus)]
    return [*command, "--profile", str(resource("profiles") / "default")]


def _inside(path: Path, corpus: Path) -> str:
    """A path as Snakemake knows it, whose working folder is the corpus."""
    return str(path.relative_to(corpus) if path.is_relative_to(corpus) else path)


def _snakemake(
    targets: Sequence[str],
    settings: str,
    corpus: Path,
    cores: int | None,
    progress: Progress | None,
) -> tuple[int, list[str]]:
    """Runs Snakemake; its exit code and what it printed."""
    command = [*snakemake_command(corpus), *targets, "--configfile", settings]
    command += ["--cores", "all" if cores is None else str(cores)]
    lines: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        try:
            for line in process.stdout or ():
                lines.append(line.rstrip())
                found = re.match(r"(\d+) of (\d+) steps", line)
                if found and progress is not None:
                    progress(int(found[1]), int(found[2]))
        except BaseException:
            os.kill(process.pid, signal.SIGINT)  # Snakemake stops its jobs and gives back its lock
            raise
    return process.returncode, lines


def _report(lines: Sequence[str], reason: str) -> str:
    """What a user is shown of a build that failed."""
    return "\n".join([f"the build failed: {reason}", *lines[-LINES_SHOWN:]])
