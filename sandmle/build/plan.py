"""What the Snakefile has to know: which specs there are, and what each one's task depends on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sandmle.compiler.compile import compile_inputs
from sandmle.errors import CompileError, SpecError
from sandmle.spec.load import load_spec


def corpus_specs(corpus: Path) -> list[Path]:
    """The spec files of a corpus folder, sorted."""
    return sorted((corpus / "specs" / "tasks").glob("*.yaml"))


def specs_by_id(specs: Iterable[Path]) -> dict[str, Path]:
    """Spec files by the id of their task, which is the file's name.

    Raises ValueError where two files would build the same task.
    """
    found: dict[str, Path] = {}
    for path in specs:
        known = found.setdefault(path.stem, path)
        if known.resolve() != path.resolve():
            raise ValueError(f"{known} and {path} would both build the task {path.stem!r}")
    return found


def task_inputs(spec_path: Path, *, corpus: Path) -> list[str]:
    """The words and templates that a spec's task depends on, beside the spec and the engine.

    None where the spec can't be read: its job says what is wrong with it. Raises VocabularyError
    where the corpus' rules/ are broken.
    """
    try:
        return [str(path) for path in compile_inputs(load_spec(spec_path, corpus=corpus), corpus)]
    except (SpecError, CompileError):
        return []
