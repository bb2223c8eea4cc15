"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """Gives another path to write a file to; when all went well the file is moved to `path`.

    No reader ever sees a part of it. Where anything is raised, what was there is there still.
    """
    partial = _partial(path)
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_new(path: Path, content: str) -> None:
    """Gives a file that must not exist yet this content, as UTF-8, in one step.

    Raises FileExistsError where it exists, and OSError where it cannot be written.
    """
    partial = _partial(path)
    try:
        partial.write_bytes(content.encode())
        os.link(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def sweep(folder: Path, suffix: str) -> None:
    """Takes away files of a suffix that processes which were killed have left half written."""
    for path in folder.glob(f".*{suffix}.*"):
        process = path.name.rpartition(".")[2]
        if process.isdecimal() and not _is_alive(int(process)):
            path.unlink(missing_ok=True)


def write_whole(path: Path, content: str | bytes) -> None:
    """Gives a file this content, text as UTF-8, in one step: no reader ever sees a part of it.

    Raises OSError where it cannot be written; what was there is there still.
    """
    with appearing(path) as partial:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass  # another user's, or no number of a process
    return True
