"""The engine's own code as one digest: tasks built by other code are out of date."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

import sandmle
from sandmle.writing import write_whole

#: What a built task depends on, beside its spec, words and templates.
PARTS = ("spec", "compiler", "runtime", "build", "solvers")
MODULES = ("errors.py", "resources.py", "vocabulary.py", "grading.py", "writing.py")

#: The file in a build folder that holds the digest; jobs depend on it.
STAMP = "engine.sha256"


@functools.cache
def engine_digest() -> str:
    """SHA-256 over the text of the engine's code."""
    package = Path(str(sandmle.__file__)).parent
    files = [path for part in PARTS for path in (package / part).rglob("*.py")]
    digest = hashlib.sha256()
    for path in sorted([*files, *(package / name for name in MODULES)]):
        digest.update(str(path.relative_to(package)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def stamp(build: Path) -> Path:
    """The stamp in a build folder, written only where the digest has changed.

    One file stands for a hundred: Snakemake looks at it once, and touching code changes nothing.
    """
    path = build / STAMP
    text = engine_digest() + "\n"
    if not path.is_file() or path.read_text() != text:
        build.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    return path
