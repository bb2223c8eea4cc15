"""What the Snakefile has to know: which specs there are, and what each one's task depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from sandmle.build.engine import engine_digest
from sandmle.errors import CompileError, SpecError
from sandmle.resources import layers
from sandmle.spec.load import load_spec
from sandmle.vocabulary import load_vocabulary
from sandmle.writing import write_whole

#: The file in a build folder that remembers inputs, so that a run with nothing to do reads no spec.
PLAN_FILE = "plan.json"


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


def plan(specs: Mapping[str, Path], *, corpus: Path, build: Path) -> dict[str, list[str]]:
    """The words and templates that each task depends on, beside its spec and the engine.

    Remembered in the build folder by the content of the spec and of all that words and templates
    there are. Raises VocabularyError where the corpus' rules/ are broken.
    """
    file = build / PLAN_FILE
    known = json.loads(file.read_text()) if file.is_file() else {}
    context = _context(corpus)
    entries = {}
    for name, path in specs.items():
        key = hashlib.sha256(context + path.read_bytes()).hexdigest()
        entry = known.get(name, {})
        if entry.get("key") != key:
            entry = {"key": key, "inputs": task_inputs(path, corpus=corpus)}
        entries[name] = entry
    remembered = {**known, **entries}
    if remembered != known:
        build.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(remembered))
    return {name: entry["inputs"] for name, entry in entries.items()}


def task_inputs(spec_path: Path, *, corpus: Path) -> list[str]:
    """The words and templates that one spec's task depends on.

    Nothing where the spec can't be read: its job says what is wrong with it.
    """
    from sandmle.compiler.compile import compile_inputs  # loads jinja2

    try:
        return [str(path) for path in compile_inputs(load_spec(spec_path, corpus=corpus), corpus)]
    except (SpecError, CompileError):
        return []


def _context(corpus: Path) -> bytes:
    """A digest of all, beside a spec, that decides on its inputs."""
    digest = hashlib.sha256(engine_digest().encode())
    for words in load_vocabulary(corpus).words.values():
        for word in words.values():
            digest.update(f"{word.path}\0{word.digest}\0".encode())
    for folder in layers("templates", corpus):
        for path in sorted(folder.rglob("*.j2")):
            digest.update(f"{path}\0".encode())
    return digest.digest()
